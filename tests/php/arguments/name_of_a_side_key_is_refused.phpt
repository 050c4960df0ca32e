--TEST--
A name that would be the side key of another lock is a ValueError
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
thrown(fn () => $lock->lock('{lock:x}:rl:baton'));
thrown(fn () => $lock->lock('x:rl:wait'));
thrown(fn () => $lock->unlock(':rl:fence'));
thrown(fn () => $lock->forceUnlock('x:rl:wait'));
thrown(fn () => $lock->owner('x:rl:fence'));
thrown(fn () => $lock->synchronized('x:rl:baton', fn () => print("section ran\n")));
thrown(fn () => $lock->attach('x:rl:baton', 'token'));
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #1 ($name) must not end %s
ValueError: RedisLock::lock(): Argument #1 ($name) must not end %s
ValueError: RedisLock::unlock(): Argument #1 ($name) must not end %s
ValueError: RedisLock::forceUnlock(): Argument #1 ($name) must not end %s
ValueError: RedisLock::owner(): Argument #1 ($name) must not end %s
ValueError: RedisLock::synchronized(): Argument #1 ($name) must not end %s
ValueError: RedisLock::attach(): Argument #1 ($name) must not end %s
