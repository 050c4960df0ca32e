--TEST--
A master of a cluster is killed when it has handed locks over that nobody has claimed yet, under 16 processes and 8 names: the waiters go on within a second
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

$load = new ClusterLoad('handed over, killed', rounds: getenv('REDISLOCK_TEST_LONG') ? 9 : 1);
$load->check(excuses: false);
$load->checkBatons();
?>
--EXPECT--
grants: yes
each failover was seen: yes
no overlap: yes
fences grow: yes
free: granted in time: yes
baton: granted in time: yes
left: granted in time: yes
held: granted in time: yes
elsewhere: granted in time: yes
no call past its deadline: yes
batons were under way: yes
