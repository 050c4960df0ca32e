--TEST--
User and password may be percent-encoded
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(['user al@ce on >p@ss:w/rd%? ~* &* +@all'], tcp: true);
$lock = new RedisLock($server->tcpDsn(rawurlencode('al@ce') . ':' . rawurlencode('p@ss:w/rd%?'), 2));
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
