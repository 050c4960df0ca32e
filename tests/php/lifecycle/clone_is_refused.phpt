--TEST--
clone is refused
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
thrown(fn () => clone $lock);
var_dump($lock->isLocking('x'));
?>
--EXPECTF--
Error: %sclone%sRedisLock%S
bool(true)
