--TEST--
Names that differ only after a NUL are different locks
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

var_dump($a->lock("x\0a"), $b->lock("x\0b"), $b->lock("x\0a"), $b->lock('x'));
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(true)
