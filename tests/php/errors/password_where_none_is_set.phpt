--TEST--
A password for a server that has none: RedisLockConnectionException, no silent success
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
$lock = new RedisLock($server->dsn(), ['password' => 's3cret']);
$e = thrown(fn () => $lock->lock('x'));
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECTF--
RedisLockConnectionException: %s
exception: no secret
