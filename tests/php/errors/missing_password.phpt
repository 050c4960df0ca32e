--TEST--
A server that wants a password and is given none: RedisLockConnectionException, NOAUTH
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

$server = RedisServer::start(password: 's3cret');
$lock = new RedisLock($server->dsn());
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->redisError);
?>
--EXPECTF--
RedisLockConnectionException: %s
string(6) "NOAUTH"
