--TEST--
The call of the hand-written class, lock($name, $timeout, $expire, $waitIntervalUs), fails loudly
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
thrown(fn () => $lock->lock('SKU0001', 10, 15, 100000));
?>
--EXPECTF--
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, int given: %s
