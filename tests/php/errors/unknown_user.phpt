--TEST--
An unknown user is a RedisLockConnectionException
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
$lock = new RedisLock($server->dsn(), ['username' => 'mallory', 'password' => 's3cret']);
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->redisError);
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECTF--
RedisLockConnectionException: %s
string(9) "WRONGPASS"
exception: no secret
