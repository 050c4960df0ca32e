--TEST--
The constructor's arguments: a string, an array or null, and an array
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

thrown(fn () => new RedisLock(6379));
thrown(fn () => new RedisLock(true));
thrown(fn () => new RedisLock('redis://127.0.0.1:1', 'prefix'));
?>
--EXPECTF--
TypeError: RedisLock::__construct(): Argument #1 ($servers) must be of type array|string|null, int given
TypeError: RedisLock::__construct(): Argument #1 ($servers) must be of type array|string|null, %s given
TypeError: RedisLock::__construct(): Argument #2 ($options) must be of type array, string given
