--TEST--
forceUnlock() of what this object holds itself: it holds it no more
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
var_dump($lock->forceUnlock('x'), $lock->isLocking('x'), $lock->unlock('x'), $lock->lock('x'));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
