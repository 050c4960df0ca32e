--TEST--
A loss that was told, and an unlock() that fails since the server is gone: no second notice
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
foreach ([true, false] as $renew) {
    $told = 0;
    $lock = new RedisLock($server->dsn(), ['expire' => lease(3.6), 'renew' => $renew, 'on_loss' => function () use (&$told) {
        $told++;
    }]);
    $lock->lock('x');
    $server->kill();
    is_so('told', compute_until(function () use (&$told) {
        return $told > 0;
    }));
    echo outcome(fn () => $lock->unlock('x')), "\n";
    compute(lease(0.8)); // past the end of the lease
    echo outcome(fn () => $lock->unlock('x')), "\n";
    compute(0.2);
    var_dump($told);
    $server->restart();
}
?>
--EXPECT--
told: yes
RedisLockConnectionException
RedisLockConnectionException
int(1)
told: yes
RedisLockConnectionException
RedisLockConnectionException
int(1)
