--TEST--
A master that is cut off from its replica and the sentinels, but not from half of the clients, grants for as long: both masters do, and fences grow all the same
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

$load = new SentinelLoad('split', rounds: getenv('REDISLOCK_TEST_LONG') ? 10 : 1, apart: true);
$load->check(excuses: true);
is_between('of those there are some: the checker sees them', count($load->overlaps()), 1, PHP_INT_MAX);
?>
--EXPECT--
grants: yes
each failover was seen: yes
no overlap without an excuse: yes
fences grow: yes
no call past its deadline: yes
of those there are some: the checker sees them: yes
