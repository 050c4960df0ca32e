--TEST--
A database that the server does not have is a RedisLockConnectionException
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

$server = RedisServer::start(['databases 4']);
$lock = new RedisLock($server->dsn(99));
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->redisError);
var_dump((new RedisLock($server->dsn(3)))->lock('x'));
?>
--EXPECTF--
RedisLockConnectionException: %s
string(3) "ERR"
bool(true)
