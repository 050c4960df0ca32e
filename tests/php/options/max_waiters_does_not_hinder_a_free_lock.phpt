--TEST--
`max_waiters` says nothing about a lock that is free
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
$lock = new RedisLock($server->dsn(), ['max_waiters' => 1]);

var_dump($lock->lock('x'), $lock->lock('y', timeout: 1), $lock->unlockAll());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
