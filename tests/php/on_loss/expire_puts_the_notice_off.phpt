--TEST--
A lease that is made longer by hand is told of when that one is nearly over
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
thrown(function () use ($lock) {
    $lock->lock('x');
    for ($i = 0; $i < 4; $i++) {
        compute(lease(0.4));
        $lock->expire('x');
    }
    return 'kept by hand';
});
$start = hrtime(true);
$e = thrown(function () use ($lock) {
    $lock->expire('x', lease(2.4));
    return compute(LONG);
});
took_between('seconds until it was told', (hrtime(true) - $start) / 1e9, lease(1.9), lease(2.4));
?>
--EXPECTF--
nothing thrown, returned 'kept by hand'
RedisLockLostException: unix://%s: only %s of the lease are left (lock "x")
seconds until it was told: yes
