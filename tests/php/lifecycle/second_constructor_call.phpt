--TEST--
A second call of the constructor is an Error and leaves the object as it was
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
$lock->lock('x');
thrown(fn () => $lock->__construct('redis://127.0.0.1:1', ['prefix' => 'other:']));
thrown(fn () => $lock->__construct());
var_dump($lock->isLocking('x'), $lock->unlock('x'));
?>
--EXPECTF--
Error: %s
Error: %s
bool(true)
bool(true)
