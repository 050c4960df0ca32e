--TEST--
A forked child is told nothing of its parent's locks, but of its own; the parent is told of its own
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';
require __DIR__ . '/../lifecycle/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
thrown(function () use ($lock) {
    $lock->lock('x');
    in_a_fork(function () use ($lock) {
        echo 'child: ';
        thrown(fn () => compute(lease(1.5)));
        echo 'child: ';
        thrown(function () use ($lock) {
            $lock->lock('y');
            return compute(LONG);
        });
    });
    return compute(LONG);
});
?>
--EXPECTF--
child: nothing thrown, returned 'computed to the end'
child: RedisLockLostException: unix://%s(lock "y")
RedisLockLostException: unix://%s(lock "x")
