--TEST--
The same name under two prefixes is two locks
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
$a = new RedisLock($server->dsn(), ['prefix' => 'a:']);
$b = new RedisLock($server->dsn(), ['prefix' => 'b:']);

var_dump($a->lock('x'), $b->lock('x'), $a->unlock('x'), $b->isLocking('x'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
