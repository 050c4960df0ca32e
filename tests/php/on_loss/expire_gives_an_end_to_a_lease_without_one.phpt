--TEST--
A lease without end to which expire() gives one: its loss is told where expire() was called
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
$lock = new RedisLock($server->dsn(), ['expire' => INF, 'on_loss' => 'throw']);

function give_an_end(RedisLock $lock, string $name): void
{
    thrown(fn () => [$lock->expire($name, lease(0.9)), compute(LONG)]);
}

echo "taken in a fiber that has ended\n";
(new Fiber(fn () => $lock->lock('x')))->start();
give_an_end($lock, 'x');

echo "another fiber in its place\n";
(new Fiber(fn () => $lock->lock('y')))->start();
$later = new Fiber(function () {
    Fiber::suspend();
    thrown(fn () => compute(lease(1.5)));
});
$later->start();
thrown(function () use ($lock, $later) {
    $lock->expire('y', lease(0.9));
    $later->resume();
    return compute(LONG);
});

echo "taken here, and given its end in a fiber\n";
$lock->lock('z');
(new Fiber(fn () => give_an_end($lock, 'z')))->start();
?>
--EXPECTF--
taken in a fiber that has ended
RedisLockLostException: unix://%s: only %s of the lease are left (lock "x")
another fiber in its place
nothing thrown, returned 'computed to the end'
RedisLockLostException: unix://%s(lock "y")
taken here, and given its end in a fiber
RedisLockLostException: unix://%s: only %s of the lease are left (lock "z")
