--TEST--
redis://:password@host
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(tcp: true, password: 's3cret');
$lock = new RedisLock($server->tcpDsn(':s3cret'));
var_dump($lock->lock('x'));
$lock = new RedisLock($server->dsn(), ['password' => 's3cret']);
var_dump($lock->lock('y'));
?>
--EXPECT--
bool(true)
bool(true)
