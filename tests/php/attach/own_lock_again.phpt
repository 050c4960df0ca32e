--TEST--
attach() with the token that this object holds already is true and keeps it
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

$lock->lock('x');
var_dump($lock->attach('x', $lock->token('x')), count($lock->held()), $lock->unlock('x'));
?>
--EXPECT--
bool(true)
int(1)
bool(true)
