--TEST--
detach(), held(), remaining() and token() are answered by the object, without a round trip
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('x');

$wire->forget();
$lock->held();
$lock->remaining('x');
$lock->token('x');
$lock->detach('x');
var_dump($wire->requests());
?>
--EXPECT--
array(0) {
}
