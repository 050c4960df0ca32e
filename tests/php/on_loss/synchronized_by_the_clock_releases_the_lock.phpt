--TEST--
synchronized() that is broken off by the clock releases the lock, which it still holds
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(3), 'on_loss' => 'throw']);
thrown(fn () => $lock->synchronized('x', fn () => compute(LONG)));
$free = (new RedisLock($server->dsn()))->lock('x');
var_dump($lock->held(), $free);
?>
--EXPECTF--
RedisLockLostException: unix://%s: only %s of the lease are left (lock "x")
array(0) {
}
bool(true)
