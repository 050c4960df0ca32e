--TEST--
A value of remember() and of once() is built by one and read by the others, by way of sentinels
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
$lock = new RedisLock($set->dsn(), $set->options);
$other = new RedisLock($set->dsn(), $set->options);
$built = 0;
$build = function () use (&$built) {
    return ['built' => ++$built];
};
var_dump($lock->remember('k', $build, 30.0)['built'], $other->remember('k', $build, 30.0)['built'], $lock->forget('k'));
var_dump($other->remember('k', $build, 30.0)['built']);
$kept = null;
$once = fn (RedisLock $lock) => $lock->once('o', function () use (&$kept) { return $kept; }, function () use (&$kept) { return $kept = 'kept'; });
var_dump($once($lock), $once($other));
?>
--EXPECT--
int(1)
int(1)
bool(true)
int(2)
string(4) "kept"
string(4) "kept"
