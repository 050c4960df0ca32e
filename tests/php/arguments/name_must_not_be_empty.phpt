--TEST--
An empty name is a ValueError, before anything is sent
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
thrown(fn () => $lock->lock(''));
thrown(fn () => $lock->unlock(''));
thrown(fn () => $lock->expire(''));
thrown(fn () => $lock->isLocking(''));
thrown(fn () => $lock->synchronized('', fn () => print("section ran\n")));
thrown(fn () => $lock->remaining(''));
thrown(fn () => $lock->token(''));
thrown(fn () => $lock->owner(''));
thrown(fn () => $lock->waiters(''));
thrown(fn () => $lock->forceUnlock(''));
thrown(fn () => $lock->attach('', 'token'));
thrown(fn () => $lock->detach(''));
?>
--EXPECT--
ValueError: RedisLock::lock(): Argument #1 ($name) must not be empty
ValueError: RedisLock::unlock(): Argument #1 ($name) must not be empty
ValueError: RedisLock::expire(): Argument #1 ($name) must not be empty
ValueError: RedisLock::isLocking(): Argument #1 ($name) must not be empty
ValueError: RedisLock::synchronized(): Argument #1 ($name) must not be empty
ValueError: RedisLock::remaining(): Argument #1 ($name) must not be empty
ValueError: RedisLock::token(): Argument #1 ($name) must not be empty
ValueError: RedisLock::owner(): Argument #1 ($name) must not be empty
ValueError: RedisLock::waiters(): Argument #1 ($name) must not be empty
ValueError: RedisLock::forceUnlock(): Argument #1 ($name) must not be empty
ValueError: RedisLock::attach(): Argument #1 ($name) must not be empty
ValueError: RedisLock::detach(): Argument #1 ($name) must not be empty
