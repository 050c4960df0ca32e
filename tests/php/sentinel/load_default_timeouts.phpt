--TEST--
Sentinels that ask as often as they do by default: the master is killed under 16 processes and 8 names
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

// By default a server is down after 30 s.
$load = new SentinelLoad('killed', rounds: 1, downAfter: 30000, failoverTimeout: 180000, quorum: 2, periods: []);
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
no call past its deadline: yes
