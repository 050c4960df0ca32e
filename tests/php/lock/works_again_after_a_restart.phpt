--TEST--
A server that was restarted is connected to again, and knows no lock any more
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());

var_dump($lock->lock('x'));
$server->restart();
var_dump($lock->isLocking('x'));
var_dump($lock->unlock('x'));
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
