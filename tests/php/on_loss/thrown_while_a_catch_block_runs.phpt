--TEST--
A loss while another exception is handled in a catch block breaks that off
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

thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    try {
        throw new LogicException('the first');
    } catch (LogicException $e) {
        take_away($redis, 'x');
        compute(LONG);
        echo "NOT BROKEN OFF\n";
    } finally {
        echo "the finally\n";
    }
});
?>
--EXPECTF--
the finally
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
