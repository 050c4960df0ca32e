--TEST--
Tokens that differ only after a NUL are different owners
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

$a->lock('x', token: "t\0a");
var_dump($b->unlock('x', "t\0b"), $b->unlock('x', 't'), $b->attach('x', "t\0b"), $a->isLocking('x'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(true)
