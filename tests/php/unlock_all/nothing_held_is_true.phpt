--TEST--
unlockAll() with nothing to release is true and asks nothing
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

var_dump($lock->unlockAll(), $wire->requests());
?>
--EXPECT--
bool(true)
array(0) {
}
