--TEST--
unlockAll() with the server gone is a RedisLockConnectionException
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$lock->lock('a');
$lock->lock('b');

$server->kill();
$e = thrown(fn () => $lock->unlockAll());
var_dump($e instanceof RedisLockConnectionException);
?>
--EXPECTF--
RedisLockConnectionException: %s
bool(true)
