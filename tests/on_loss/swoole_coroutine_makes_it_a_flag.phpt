--TEST--
Within a coroutine of Swoole, on_loss throw acts as flag; outside of one it does not
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
eval('namespace Swoole; class Coroutine { public static int $id = -1; public static function getCid(): int { return self::$id; } }');
foreach ([7, -1] as Swoole\Coroutine::$id) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);
    thrown(function () use ($lock, $redis) {
        $lock->lock('x');
        take_away($redis, 'x');
        compute_until(fn () => $lock->lost('x'));
        return compute(0.3);
    });
    var_dump($lock->lost('x'), $lock->unlock('x'));
}
?>
--EXPECTF--
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
bool(true)
bool(false)
