--TEST--
SENTINEL FAILOVER alone leaves the old master to its clients for a while: two may hold then, each time by what it took
--DESCRIPTION--
Takes long.
--CONFLICTS--
load
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_unless_long();
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/load.inc';

$load = new SentinelLoad('asked for', rounds: 10);
$load->check(excuses: true);
?>
--EXPECT--
grants: yes
each failover was seen: yes
no overlap without an excuse: yes
fences grow: yes
no call past its deadline: yes
