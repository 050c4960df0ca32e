--TEST--
$timeout: NAN, negative and -INF are a ValueError
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
foreach ([NAN, -1, -0.001, -INF, 1e300] as $timeout) {
    thrown(fn () => $lock->lock('x', $timeout));
}
thrown(fn () => $lock->synchronized('x', fn () => print("section ran\n"), NAN));
thrown(fn () => $lock->synchronized('x', fn () => print("section ran\n"), -1));
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
ValueError: RedisLock::synchronized(): Argument #3 ($timeout) must be %s
ValueError: RedisLock::synchronized(): Argument #3 ($timeout) must be %s
