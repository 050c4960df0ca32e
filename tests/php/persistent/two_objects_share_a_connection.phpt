--TEST--
Two objects use one connection, one after another
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$a = new RedisLock($wire->dsn());
$b = new RedisLock($wire->dsn());
var_dump($a->lock('x'), $b->lock('y'), $a->unlock('x'), $b->lock('x'), $a->lock('x'));
var_dump($wire->connections());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
int(1)
