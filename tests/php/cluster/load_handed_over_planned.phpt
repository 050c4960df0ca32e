--TEST--
CLUSTER FAILOVER of all shards in turn, each when its master has handed locks over that nobody has claimed yet, under 16 processes and 8 names: the waiters go on within a second
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
skip_unless_long();
?>
--FILE--
<?php
require __DIR__ . '/load.inc';

$load = new ClusterLoad('handed over, planned', rounds: 9);
$load->check(excuses: false);
$load->checkCalls();
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
no call failed: yes
no lease was lost: yes
batons were under way: yes
