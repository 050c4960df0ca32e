--TEST--
A name that was never locked, or is unlocked already, is not ours
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

var_dump($lock->unlock('never'));
$lock->lock('x');
var_dump($lock->unlock('x'), $lock->unlock('x'));
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
