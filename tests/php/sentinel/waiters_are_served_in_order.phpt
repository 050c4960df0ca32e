--TEST--
Waiters that came by way of sentinels are woken by the release, in the order of arrival
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start();
$redis = $set->master()->client();
$holder = new RedisLock($set->dsn(), $set->options);
$waiters = Remote::startMany(6, $set->dsn(), $set->options);
$holder->lock('x');
line_up($redis, $waiters, 'x', 10.0, 0.01);
var_dump($holder->waiters('x'), $holder->unlock('x'));
check_turns($waiters);
is_so('nothing was left', wait_until(fn () => all_keys($redis) === []), all_keys($redis));
?>
--EXPECT--
int(6)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
nothing was left: yes
