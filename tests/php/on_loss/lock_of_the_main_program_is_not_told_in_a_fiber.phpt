--TEST--
Fibers: a lock of the main program that is lost while a fiber runs is told when that is left
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

$fiber = new Fiber(function () use ($lock) {
    thrown(fn () => compute_until(fn () => $lock->lost('x')) . compute(0.3));
    Fiber::suspend();
});
thrown(function () use ($lock, $redis, $fiber) {
    $lock->lock('x');
    take_away($redis, 'x');
    $fiber->start();
    return compute(LONG);
});
$fiber->resume();
var_dump($fiber->isTerminated());
?>
--EXPECTF--
nothing thrown, returned '1computed to the end'
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
bool(true)
