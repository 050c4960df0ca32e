--TEST--
Fibers: neither another fiber nor the main program is told, but the fiber that took the lock, when it goes on
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

$holder = new Fiber(function () use ($lock, $redis) {
    $lock->lock('x');
    echo "taken\n";
    thrown(function () {
        Fiber::suspend();
        return compute(LONG);
    });
    return 'the holder';
});
$holder->start();
take_away($redis, 'x');
echo 'main: ';
thrown(fn () => compute_until(fn () => $lock->lost('x')) . compute(0.2));
$other = new Fiber(function () {
    echo 'another fiber: ';
    thrown(fn () => compute(0.2));
    Fiber::suspend();
    echo 'and again: ';
    thrown(fn () => compute(0.2));
});
$other->start();
$other->resume();
$start = hrtime(true);
$holder->resume();
took_between('seconds until the holder was told', (hrtime(true) - $start) / 1e9, 0, 0.2);
var_dump($holder->getReturn());
thrown(fn () => compute(0.2));
?>
--EXPECTF--
taken
main: nothing thrown, returned '1computed to the end'
another fiber: nothing thrown, returned 'computed to the end'
and again: nothing thrown, returned 'computed to the end'
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
seconds until the holder was told: yes
string(10) "the holder"
nothing thrown, returned 'computed to the end'
