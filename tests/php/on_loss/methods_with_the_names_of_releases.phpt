--TEST--
Only this library's own releases keep a notice back: a method of another class with such a name does not
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

class Door
{
    public function unlock(): string
    {
        return compute(LONG);
    }
}

thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    take_away($redis, 'x');
    return (new Door())->unlock();
});
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
