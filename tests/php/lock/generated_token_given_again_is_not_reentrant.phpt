--TEST--
Nor is a token of our own form, given by the caller, taken for a repeated request
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

$a->lock('x');
var_dump($b->lock('x', token: $a->token('x')));
?>
--EXPECT--
bool(false)
