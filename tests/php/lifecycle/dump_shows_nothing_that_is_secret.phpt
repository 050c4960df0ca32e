--TEST--
var_dump of an object that holds locks
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
$lock = new RedisLock($server->dsn(), ['password' => null]);
$lock->lock('x', token: 's3cret');
var_dump(str_contains(print_r($lock, true) . var_export($lock, true), 's3cret'), count((array) $lock));
?>
--EXPECT--
bool(false)
int(0)
