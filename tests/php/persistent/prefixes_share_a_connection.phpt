--TEST--
Options that are no part of the login do not need a connection of their own
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
$a = new RedisLock($wire->dsn(), ['prefix' => 'a:', 'expire' => 5]);
$b = new RedisLock($wire->dsn(), ['prefix' => 'b:', 'fencing' => true]);
var_dump($a->lock('x'), $b->lock('x'), $wire->connections());
?>
--EXPECT--
bool(true)
bool(true)
int(1)
