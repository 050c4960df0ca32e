--TEST--
The master is killed when its replica has been behind for a while: what was granted meanwhile may be held twice, and nothing else
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

$load = new SentinelLoad('lagging', rounds: getenv('REDISLOCK_TEST_LONG') ? 10 : 1);
$load->check(excuses: true);
is_between('of those there are some: the checker sees them', count($load->overlaps()), 1, PHP_INT_MAX);
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
no call past its deadline: yes
of those there are some: the checker sees them: yes
