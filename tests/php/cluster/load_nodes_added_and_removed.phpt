--TEST--
A master comes and takes slots over, another one is emptied and goes, under 16 processes and 8 names: no call fails
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

$load = new ClusterLoad('nodes', rounds: getenv('REDISLOCK_TEST_LONG') ? 10 : 1);
$load->check(excuses: false);
$load->checkCalls();
$load->checkKeys();
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
