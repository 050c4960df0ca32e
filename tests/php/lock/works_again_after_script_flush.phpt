--TEST--
A server that has forgotten the scripts is given them again
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

var_dump($lock->lock('x'));
$redis->cmd('SCRIPT', 'FLUSH');
var_dump($lock->unlock('x'));
$redis->cmd('SCRIPT', 'FLUSH');
var_dump($lock->lock('x'));
$redis->cmd('SCRIPT', 'FLUSH');
var_dump($lock->isLocking('x'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
