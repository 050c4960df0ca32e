--TEST--
unlock() with the token releases a lock that another object took
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

$a->lock('x', token: 'job-1');
var_dump($b->unlock('x', 'job-1'));
var_dump($a->isLocking('x'), $a->unlock('x'));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
