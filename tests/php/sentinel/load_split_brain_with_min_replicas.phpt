--TEST--
With min-replicas-to-write, a master that is cut off stops to grant within a second or two, so that few locks are held twice, or none
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

// Two replicas: with one alone, the new master would have none until the old one is its replica.
$config = ['min-replicas-to-write 1', 'min-replicas-max-lag 1'];
$load = new SentinelLoad('split', rounds: getenv('REDISLOCK_TEST_LONG') ? 10 : 1, apart: true, replicas: 2, config: $config);
$load->check(excuses: true);
?>
--EXPECT--
grants: yes
each failover was seen: yes
no overlap without an excuse: yes
fences grow: yes
no call past its deadline: yes
