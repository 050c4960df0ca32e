--TEST--
A wait for another lock ends with the exception of a loss
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

$other = new RedisLock($server->dsn());
$other->lock('y', expire: 60);
thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    take_away($redis, 'x');
    $lock->lock('y', timeout: lease(1.5));
    return compute(LONG);
});
var_dump($lock->held(), $other->unlock('y'));
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
array(0) {
}
bool(true)
