--TEST--
An object made without its constructor gets an Error, not a crash
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = (new ReflectionClass('RedisLock'))->newInstanceWithoutConstructor();
thrown(fn () => $lock->lock('x'));
thrown(fn () => $lock->held());
?>
--EXPECTF--
Error: %s
Error: %s
