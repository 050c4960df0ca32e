--TEST--
The constructor sends nothing: a server that is down is noticed by the first call
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('redis://127.0.0.1:1');
var_dump($lock->held(), $lock->unlockAll(), $lock->isLocking('x'), $lock->unlock('x'));
$e = thrown(fn () => $lock->lock('x'));
?>
--EXPECTF--
array(0) {
}
bool(true)
bool(false)
bool(false)
RedisLockConnectionException: %s
