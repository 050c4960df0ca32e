--TEST--
No socket there: RedisLockConnectionException with the path and the reason
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('unix:///nonexistent/redis.sock?db=2');
$e = thrown(fn () => $lock->lock('SKU0001'));
var_dump($e->lockName, $e->server, $e->redisError);
?>
--EXPECTF--
RedisLockConnectionException: %s/nonexistent/redis.sock%sNo such file%s
string(7) "SKU0001"
string(35) "unix:///nonexistent/redis.sock?db=2"
string(0) ""
