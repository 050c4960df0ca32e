--TEST--
synchronized(): what the section threw gets the loss as its previous exception, unless it tells of it already
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
$flag = new RedisLock($server->dsn(), ['expire' => lease(0.9)]);

function chain(callable $act, bool $sorted = false): void
{
    try {
        $act();
        echo "NOTHING THROWN\n";
    } catch (Throwable $e) {
        for ($lines = []; $e !== null; $e = $e->getPrevious()) {
            $lines[] = get_class($e) . ' ' . ($e instanceof RedisLockLostException ? "of $e->lockName" : $e->getMessage());
        }
        if ($sorted) {
            sort($lines);
        }
        echo implode("\n", $lines), "\n";
    }
}

/** A section that loses its lock, and then throws. */
$loses = fn (string $name, ?Throwable $throws) => function () use ($redis, $name, $throws) {
    take_away($redis, $name);
    throw $throws ?? new LogicException('the first');
};

echo "-- the notice\n";
chain(fn () => $lock->synchronized('x', function () use ($redis) {
    take_away($redis, 'x');
    compute(LONG);
}));
echo "-- as the previous exception of another\n";
chain(fn () => $lock->synchronized('x', function () use ($redis) {
    try {
        take_away($redis, 'x');
        compute(LONG);
    } catch (RedisLockLostException $e) {
        throw new LogicException('the order was not paid', previous: $e);
    }
}));
echo "-- ensure()\n";
chain(fn () => $lock->synchronized('x', function () use ($lock, $redis) {
    try {
        take_away($redis, 'x');
    } finally {
        compute_until(fn () => $lock->lost('x'));
        $lock->ensure('x');
    }
}));
echo "-- two locks at once\n";
chain(fn () => $lock->synchronized('x', fn () => $lock->synchronized('y', function () use ($lock, $redis) {
    try {
        take_away($redis, 'x', 'y');
    } finally {
        compute_until(fn () => $lock->lost('x') && $lock->lost('y'));
    }
    compute(LONG);
})), sorted: true); // which of the two comes first is left open
echo "-- something else\n";
chain(fn () => $flag->synchronized('x', $loses('x', null)));
echo "-- the loss of another lock\n";
chain(fn () => $flag->synchronized('x', $loses('x', new RedisLockLostException('somewhere else', lockName: 'y', server: $server->dsn()))));
echo "-- the loss of a lock of this name on another server\n";
chain(fn () => $flag->synchronized('x', $loses('x', new RedisLockLostException('somewhere else', lockName: 'x', server: 'another'))));
echo "-- exit\n";
register_shutdown_function(fn () => print("the end\n"));
$flag->synchronized('x', function () use ($redis) {
    take_away($redis, 'x');
    exit;
});
?>
--EXPECT--
-- the notice
RedisLockLostException of x
-- as the previous exception of another
LogicException the order was not paid
RedisLockLostException of x
-- ensure()
RedisLockLostException of x
-- two locks at once
RedisLockLostException of x
RedisLockLostException of y
-- something else
LogicException the first
RedisLockLostException of x
-- the loss of another lock
RedisLockLostException of y
RedisLockLostException of x
-- the loss of a lock of this name on another server
RedisLockLostException of x
RedisLockLostException of x
-- exit
the end
