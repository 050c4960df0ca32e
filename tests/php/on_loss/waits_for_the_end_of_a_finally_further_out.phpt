--TEST--
on_loss throw: what a finally calls is not broken off either
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

function clean_up(RedisLock $lock): void
{
    try {
        compute_until(fn () => $lock->lost('x'));
    } finally {
        compute(0.1);
    }
    compute(0.2);
    array_map(fn ($seconds) => compute($seconds), [0.1, 0.1]);
    echo "all is cleaned up\n";
}

function work(RedisLock $lock, RawClient $redis): void
{
    $lock->lock('x');
    try {
        throw new LogicException('which the exception of the loss follows');
    } catch (LogicException) {
        return;
    } finally {
        take_away($redis, 'x');
        clean_up($lock);
    }
}

thrown(function () use ($lock, $redis) {
    work($lock, $redis);
    compute(LONG);
});
?>
--EXPECTF--
all is cleaned up
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
