--TEST--
Many names at once work by way of sentinels, all or none
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
$lock = new RedisLock($set->dsn(), $set->options);
$other = new RedisLock($set->dsn(), $set->options);
var_dump($lock->lockAll(['a', 'b', 'c']), $other->lockAll(['c', 'd']), $redis->cmd('EXISTS', 'lock:d'));
$waiter = Remote::start($set->dsn(), $set->options);
$waiter->begin('lockAll', ['c', 'd'], 10.0);
await_blocked($redis, 1);
var_dump($lock->unlockAll(), $waiter->answer()['result'], $redis->cmd('EXISTS', 'lock:a', 'lock:b', 'lock:c', 'lock:d'));
?>
--EXPECT--
bool(true)
bool(false)
int(0)
bool(true)
bool(true)
int(2)
