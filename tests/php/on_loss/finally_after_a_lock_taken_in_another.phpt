--TEST--
A lock that was taken in a finally which is over: a finally that begins later is not broken off
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

function take(RedisLock $lock): void
{
    try {
        compute(0.01);
    } finally {
        $lock->lock('x');
    }
}

thrown(function () use ($lock, $redis) {
    take($lock);
    try {
        compute(0.01);
    } finally {
        take_away($redis, 'x');
        compute_until(fn () => $lock->lost('x'));
        compute(0.3);
        echo "the finally is over\n";
    }
    return compute(LONG);
});
?>
--EXPECTF--
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
