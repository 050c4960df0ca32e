--TEST--
An array with one server
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
$lock = new RedisLock([$server->dsn()]);
var_dump($lock->lock('x'));
thrown(fn () => new RedisLock([]));
thrown(fn () => new RedisLock([5]));
?>
--EXPECTF--
bool(true)
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
TypeError: RedisLock::__construct(): Argument #1 ($servers) must %s
