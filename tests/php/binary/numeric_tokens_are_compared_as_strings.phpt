--TEST--
Tokens that are equal as numbers are different owners
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

$a->lock('x', token: '1000');
var_dump($b->unlock('x', '1e3'), $b->unlock('x', '01000'), $b->unlock('x', '1000 '), $a->isLocking('x'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(true)
