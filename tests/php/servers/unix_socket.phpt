--TEST--
unix:///path
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
$lock = new RedisLock('unix://' . $server->socket());
var_dump($lock->lock('x'), $server->client()->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
bool(true)
int(1)
