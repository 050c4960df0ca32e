--TEST--
An environment variable that is not set is an exception when it is needed, and names it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('env:NO_SUCH_VARIABLE');
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->server, $e->lockName);
?>
--EXPECTF--
RedisLockConnectionException: %sNO_SUCH_VARIABLE%s
string(20) "env:NO_SUCH_VARIABLE"
string(1) "x"
