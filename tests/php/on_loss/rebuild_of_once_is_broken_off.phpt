--TEST--
once(): a rebuild that loses its lock is broken off
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
thrown(fn () => $lock->once('x', fn () => null, function () use ($redis) {
    take_away($redis, 'x');
    return compute(LONG);
}));
thrown(fn () => $lock->once('x', fn () => null, fn () => 'the next one'));
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
nothing thrown, returned 'the next one'
