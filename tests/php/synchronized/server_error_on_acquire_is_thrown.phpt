--TEST--
The server refuses the acquisition: that exception, and the section does not run
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(['replicaof 127.0.0.1 1']);
$lock = new RedisLock($server->dsn());

$e = thrown(fn () => $lock->synchronized('x', fn () => print("section ran\n")));
var_dump($e->redisError);
?>
--EXPECTF--
RedisLockServerException: %s
string(8) "READONLY"
