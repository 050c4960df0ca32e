--TEST--
Masters of a cluster are cut off from all under 16 processes and 8 names, and come back: two hold at once only where the new one had not got the lock
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

$load = new ClusterLoad('cut off', rounds: 9);
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
