--TEST--
token() is the owner token while this object holds the lock, else null
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

var_dump($lock->token('x'));
$lock->lock('x', token: 'mine');
var_dump($lock->token('x'));
$lock->unlock('x');
var_dump($lock->token('x'));
?>
--EXPECT--
NULL
string(4) "mine"
NULL
