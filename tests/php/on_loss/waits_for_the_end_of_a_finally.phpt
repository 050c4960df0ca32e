--TEST--
on_loss throw: a finally that runs is not broken off; the exception comes soon after its end
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

thrown(function () use ($lock, $redis, &$end) {
    $lock->lock('x');
    try {
        compute(0.01);
    } finally {
        take_away($redis, 'x');
        var_dump(compute_until(fn () => $lock->lost('x')));
        compute(0.3);
        echo "the finally is over\n";
        $end = hrtime(true);
    }
    compute(LONG);
});
took_between('seconds since then', (hrtime(true) - $end) / 1e9, 0, 0.2);
?>
--EXPECTF--
bool(true)
the finally is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
seconds since then: yes
