--TEST--
redis://user:password@host, and the options `username` and `password`
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(['user alice on >w0nder ~* &* +@all', 'user default off'], tcp: true);
$lock = new RedisLock($server->tcpDsn('alice:w0nder'));
var_dump($lock->lock('x'));
$lock = new RedisLock($server->dsn(), ['username' => 'alice', 'password' => 'w0nder']);
var_dump($lock->lock('y'));
?>
--EXPECT--
bool(true)
bool(true)
