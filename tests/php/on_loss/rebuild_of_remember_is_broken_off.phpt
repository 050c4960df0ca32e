--TEST--
remember(): a rebuild that loses its lock is broken off, and nothing is kept
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'renew' => true, 'on_loss' => 'throw']);
thrown(fn () => $lock->remember('x', function () use ($redis) {
    take_away($redis, 'x');
    return compute(LONG);
}, 60));
thrown(fn () => $lock->remember('x', fn () => 'the next one', 60));
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
nothing thrown, returned 'the next one'
