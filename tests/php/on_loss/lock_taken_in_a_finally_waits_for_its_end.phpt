--TEST--
A lock that is taken within a finally or a destructor: lost() tells there, and the notice comes after the end
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

/** Loses a lock in a try with a finally of its own, both within what has to end. */
function lose(callable $take): void
{
    global $lock, $redis;
    $take();
    try {
        take_away($redis, 'x');
        is_so('lost() tells', compute_until(fn () => $lock->lost('x')));
        compute(0.1);
    } finally {
        compute(0.1);
        echo "the inner finally is over\n";
    }
    compute(0.1);
    echo "the outer one is over\n";
}

final class Late
{
    public function __construct(private Closure $act)
    {
    }

    public function __destruct()
    {
        ($this->act)();
    }
}

$ways = [
    'lock()' => fn () => $lock->lock('x'),
    'lockAll()' => fn () => $lock->lockAll(['x', 'y']),
    'attach()' => function () use ($lock, $server) {
        $other = new RedisLock($server->dsn());
        $other->lock('x');
        $lock->attach('x', $other->detach('x'));
    },
];
foreach ($ways as $way => $take) {
    echo "-- $way in a finally\n";
    thrown(function () use ($take) {
        try {
            compute(0.01);
        } finally {
            lose($take);
        }
        return compute(LONG);
    });
    $lock->unlockAll();
}
echo "-- in a destructor\n";
thrown(function () use ($ways) {
    $late = new Late(fn () => lose($ways['lock()']));
    unset($late);
    return compute(LONG);
});
$lock->unlockAll();

echo "-- in the same function\n";
thrown(function () use ($lock, $redis) {
    try {
        compute(0.01);
    } finally {
        $lock->lock('x');
        try {
            take_away($redis, 'x');
        } finally {
            is_so('lost() tells', compute_until(fn () => $lock->lost('x')));
            compute(0.1);
            echo "the inner finally is over\n";
            $lock->unlock('x');
        }
        compute(0.1);
        echo "the outer one is over\n";
    }
    return compute(0.1);
});
?>
--EXPECTF--
-- lock() in a finally
lost() tells: yes
the inner finally is over
the outer one is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- lockAll() in a finally
lost() tells: yes
the inner finally is over
the outer one is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- attach() in a finally
lost() tells: yes
the inner finally is over
the outer one is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- in a destructor
lost() tells: yes
the inner finally is over
the outer one is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- in the same function
lost() tells: yes
the inner finally is over
the outer one is over
nothing thrown, returned 'computed to the end'
