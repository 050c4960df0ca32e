--TEST--
CLUSTER FAILOVER of all shards in turn, under 16 processes and 8 names: never two at once, and no call fails
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

$load = new ClusterLoad('planned', rounds: getenv('REDISLOCK_TEST_LONG') ? 21 : 3);
$load->check(excuses: false);
$load->checkCalls();
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
no call failed: yes
no lease was lost: yes
