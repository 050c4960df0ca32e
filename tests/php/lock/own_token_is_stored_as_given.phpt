--TEST--
A token that the caller brings is the key's value, byte for byte
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
$redis = $server->client();
$lock = new RedisLock($server->dsn());

var_dump($lock->lock('x', token: 'order-4711'));
var_dump($redis->cmd('GET', 'lock:x'), $lock->token('x'));
var_dump($lock->unlock('x'));
?>
--EXPECT--
bool(true)
string(10) "order-4711"
string(10) "order-4711"
bool(true)
