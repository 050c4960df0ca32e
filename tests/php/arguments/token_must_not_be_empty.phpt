--TEST--
An empty token is a ValueError
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
thrown(fn () => $lock->lock('x', token: ''));
thrown(fn () => $lock->attach('x', ''));
?>
--EXPECT--
ValueError: RedisLock::lock(): Argument #4 ($token) must not be empty
ValueError: RedisLock::attach(): Argument #2 ($token) must not be empty
