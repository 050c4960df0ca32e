--TEST--
A lock that was taken in a finally or a destructor which is over: the next one of the same function, at the same place in memory, is not broken off
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

/** Takes the lock, or else loses it. */
function take_or_lose(bool $takes, string $what): void
{
    global $lock, $redis;
    if ($takes) {
        $lock->lock('x');
        return;
    }
    take_away($redis, 'x');
    compute_until(fn () => $lock->lost('x'));
    compute(0.2);
    echo "$what is over\n";
}

function finally_of_a_function(bool $takes): void
{
    try {
        compute(0.01);
    } finally {
        take_or_lose($takes, 'the finally');
    }
}

final class Late
{
    public function __construct(private bool $takes)
    {
    }

    public function __destruct()
    {
        take_or_lose($this->takes, 'the destructor');
    }
}

thrown(function () {
    finally_of_a_function(true);
    finally_of_a_function(false);
    return compute(LONG);
});
thrown(function () {
    foreach ([true, false] as $takes) {
        $late = new Late($takes);
        unset($late);
    }
    return compute(LONG);
});
thrown(function () {
    foreach ([true, false] as $takes) {
        try {
            compute(0.01);
        } finally {
            take_or_lose($takes, 'the finally in the second round');
        }
    }
    return compute(LONG);
});
?>
--EXPECTF--
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the destructor is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally in the second round is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
