--TEST--
Planned failovers under 16 processes and 8 names: never two at once, without an excuse
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

$load = new SentinelLoad('planned', rounds: getenv('REDISLOCK_TEST_LONG') ? 20 : 2);
$load->check(excuses: false);
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
no call past its deadline: yes
