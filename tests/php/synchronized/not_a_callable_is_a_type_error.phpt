--TEST--
A section that is not callable is a TypeError before anything is sent
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());

thrown(fn () => $lock->synchronized('x', 'no_such_function'));
var_dump($wire->requests());
?>
--EXPECTF--
TypeError: RedisLock::synchronized(): Argument #2 ($section) must be a valid callback, %s
array(0) {
}
