--TEST--
env:NAME is looked up when connecting, not when constructing
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
$lock = new RedisLock('env:SHOP_LOCKS');
putenv('SHOP_LOCKS=' . $server->dsn());
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
