--TEST--
Dynamic properties are refused
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('redis://127.0.0.1:1');
thrown(fn () => $lock->prefix = 'x:');
thrown(fn () => isset($lock->prefix));
?>
--EXPECT--
Error: Cannot create dynamic property RedisLock::$prefix
nothing thrown, returned false
