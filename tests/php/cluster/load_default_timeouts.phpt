--TEST--
Nodes that count as failed as late as they do by default: a master of a cluster is killed under 16 processes and 8 names
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

$load = new ClusterLoad('killed', rounds: 1, nodeTimeout: 15000);
$load->check(excuses: true);
?>
--EXPECT--
grants: yes
each failover was seen: yes
no overlap without an excuse: yes
fences grow: yes
free: granted in time: yes
baton: granted in time: yes
left: granted in time: yes
held: granted in time: yes
elsewhere: granted in time: yes
no call past its deadline: yes
