--TEST--
A slot is held open for three leases, its keys at both nodes: no lease is lost, and a release takes effect at once
--DESCRIPTION--
Takes long.
--CONFLICTS--
load
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/load.inc';

$load = new ClusterLoad('held open', rounds: getenv('REDISLOCK_TEST_LONG') ? 8 : 1);
$load->check(excuses: false);
$load->checkCalls();
$load->checkKeys();
$load->checkOpen();
?>
--EXPECT--
grants: yes
no overlap: yes
fences grow: yes
no call past its deadline: yes
no call failed: yes
no lease was lost: yes
no key in a slot that is elsewhere: yes
no key left: yes
released while the slot was open: yes
released: the next one has it at once: yes
