--TEST--
A finally that asks a generator for values, delegates to one, or resumes or destroys a fiber is not broken off by a notice in these
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

function lose(): void
{
    global $lock, $redis;
    take_away($redis, 'x');
    compute_until(fn () => $lock->lost('x'));
    compute(0.2);
    echo "lost\n";
}

function inner(): Generator
{
    yield 1;
    lose(); // and no value behind it: the loop that gets the values has nothing to end
}

function delegating(): Generator
{
    try {
        yield 0;
    } finally {
        yield from (fn () => yield from inner())();
        echo "the finally is over\n";
    }
}

echo "-- a generator\n";
thrown(function () use ($lock) {
    $lock->lock('x');
    $generator = inner();
    $generator->current();
    try {
        compute(0.01);
    } finally {
        $generator->next();
        echo "the finally is over\n";
    }
    return compute(LONG);
});
$lock->unlock('x');

echo "-- yield from\n";
thrown(function () use ($lock) {
    $lock->lock('x');
    foreach (delegating() as $value) {
        echo "$value\n";
    }
    return compute(LONG);
});
$lock->unlock('x');

$of = [
    'lock()' => function () use ($lock) {
        $lock->lock('x');
        Fiber::suspend();
        lose();
        Fiber::suspend();
        return compute(LONG);
    },
    'synchronized()' => fn () => $lock->synchronized('x', function () {
        Fiber::suspend();
        lose();
        Fiber::suspend();
        return compute(LONG);
    }),
];
foreach ($of as $way => $act) {
    echo "-- a fiber with $way\n";
    $fiber = new Fiber(fn () => thrown($act));
    $fiber->start();
    try {
        compute(0.01);
    } finally {
        $fiber->resume();
        echo "the finally is over\n";
    }
    $fiber->resume();
    $lock->unlock('x');
}

echo "-- a fiber that is destroyed\n";
$fiber = new Fiber(function () use ($lock) {
    try {
        Fiber::suspend();
    } finally {
        $lock->synchronized('x', lose(...));
        echo "the fiber's finally is over\n";
    }
});
$fiber->start();
try {
    compute(0.01);
} finally {
    try {
        unset($fiber);
    } catch (RedisLockLostException $e) {
        echo strstr($e->getMessage(), 'the lock'), "\n"; // not the notice, but what synchronized() throws at its end
    }
    echo "the finally is over\n";
}
?>
--EXPECTF--
-- a generator
lost
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- yield from
0
1
lost
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- a fiber with lock()
lost
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- a fiber with synchronized()
lost
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- a fiber that is destroyed
lost
the lock was lost before the section was over%s
the finally is over
