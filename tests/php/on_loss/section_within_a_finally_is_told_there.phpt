--TEST--
A section of synchronized() or once() that runs within a finally or a destructor is told there, but not in a finally of its own
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

$section = function () use ($lock, $redis): string {
    try {
        take_away($redis, 'x');
    } finally {
        compute_until(fn () => $lock->lost('x'));
        compute(0.1);
        echo "the section's finally is over\n";
    }
    return compute(LONG);
};
$ways = [
    'synchronized()' => fn () => $lock->synchronized('x', $section),
    'remember()' => fn () => $lock->remember('x', $section, 60),
    'once()' => fn () => $lock->once('x', fn () => null, $section),
];

class Late
{
    public function __construct(private Closure $act)
    {
    }

    public function __destruct()
    {
        thrown($this->act);
        echo "the destructor goes on\n";
    }
}

foreach ($ways as $way => $act) {
    echo "-- $way\n";
    try {
        compute(0.01);
    } finally {
        thrown($act);
        echo "the finally goes on\n";
    }
    $late = new Late($act);
    unset($late);
}
echo "-- in a fiber\n";
$fiber = new Fiber(function () use ($ways) {
    try {
        Fiber::suspend();
    } finally {
        thrown($ways['synchronized()']);
        echo "the finally goes on\n";
    }
});
$fiber->start();
$fiber->resume();
?>
--EXPECTF--
-- synchronized()
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally goes on
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the destructor goes on
-- remember()
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally goes on
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the destructor goes on
-- once()
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally goes on
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the destructor goes on
-- in a fiber
the section's finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally goes on
