--TEST--
fence() does not change while the lock is held, also not by expire()
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
$lock = new RedisLock($server->dsn(), ['fencing' => true]);

$lock->lock('x');
$fence = $lock->fence('x');
$lock->expire('x', 60);
var_dump($lock->fence('x') === $fence);
?>
--EXPECT--
bool(true)
