--TEST--
detach() of what this object does not hold is null
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

var_dump($lock->detach('never'));
$lock->lock('x');
$lock->unlock('x');
var_dump($lock->detach('x'));
?>
--EXPECT--
NULL
NULL
