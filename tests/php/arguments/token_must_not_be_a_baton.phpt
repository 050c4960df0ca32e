--TEST--
A caller's token with the prefix of batons is a ValueError in lock(), also for lock() of a held name
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
thrown(fn () => $lock->lock('x', token: 'rl:baton:' . str_repeat('0', 32)));
thrown(fn () => $lock->lock('x', token: 'rl:baton:'));
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #4 ($token) must not %s
ValueError: RedisLock::lock(): Argument #4 ($token) must not %s
