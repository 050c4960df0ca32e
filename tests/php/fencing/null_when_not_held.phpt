--TEST--
fence() is null when this object does not hold the lock
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

var_dump($lock->fence('x'));
$lock->lock('x');
var_dump(is_int($lock->fence('x')), $lock->fence('y'));
$lock->unlock('x');
var_dump($lock->fence('x'));
?>
--EXPECT--
NULL
bool(true)
NULL
NULL
