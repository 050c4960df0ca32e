--TEST--
unix:///path?db=n
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
$lock = new RedisLock('unix://' . $server->socket() . '?db=5');
var_dump($lock->lock('x'), $redis->cmd('EXISTS', 'lock:x'));
$redis->cmd('SELECT', 5);
var_dump($redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
bool(true)
int(0)
int(1)
