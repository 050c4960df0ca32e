--TEST--
A lock that was taken over by attach() is told of too
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
    $first = new RedisLock($server->dsn(), ['expire' => lease(1.2)]);
    $first->lock('x');
    $token = $first->detach('x');
    $lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
    thrown(function () use ($lock, $token, $renew, $redis) {
        var_dump($lock->attach('x', $token, $renew));
        if ($renew) {
            take_away($redis, 'x');
        }
        return compute(LONG);
    });
    $lock->unlock('x');
}
?>
--EXPECTF--
bool(true)
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
bool(true)
RedisLockLostException: unix://%s: only %s of the lease are left (lock "x")
