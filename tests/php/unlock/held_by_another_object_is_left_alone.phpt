--TEST--
unlock() of what another object holds is false and leaves it alone
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

$a->lock('x');
var_dump($b->unlock('x'), $a->isLocking('x'));
?>
--EXPECT--
bool(false)
bool(true)
