--TEST--
Two objects in one process exclude each other
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
$a = new RedisLock($server->dsn());
$b = new RedisLock($server->dsn());

var_dump($a->lock('x'), $b->lock('x'), $b->lock('y'));
var_dump($a->unlock('x'), $b->lock('x'), $a->lock('x'));
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
