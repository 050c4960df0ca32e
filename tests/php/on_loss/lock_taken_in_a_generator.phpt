--TEST--
Generators: the exception comes in the generator that took the lock, or in what runs while it is suspended
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

function locked(RedisLock $lock, RawClient $redis, bool $inside): Generator
{
    $lock->lock('x');
    try {
        yield 'first';
        if ($inside) {
            take_away($redis, 'x');
            thrown(fn () => compute(LONG));
        }
        yield 'second';
    } finally {
        $lock->unlock('x');
        echo "released\n";
    }
}

foreach (locked($lock, $redis, true) as $step) {
    echo "$step\n";
}
thrown(function () use ($lock, $redis) {
    foreach (locked($lock, $redis, false) as $step) {
        echo "$step\n";
        if ($step === 'second') {
            take_away($redis, 'x');
            compute(LONG);
        }
    }
});
?>
--EXPECTF--
first
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
second
released
first
second
released
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
