--TEST--
$expire: a lease of NAN, zero, 5 ms or less than zero is a ValueError
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
foreach ([NAN, 0, 0.005, 0.0089, -1, -INF, 1e300] as $expire) {
    thrown(fn () => $lock->lock('x', 0, $expire));
}
thrown(fn () => $lock->expire('x', 0));
thrown(fn () => $lock->expire('x', 0.005));
thrown(fn () => $lock->expire('x', NAN));
thrown(fn () => $lock->expire('x', -5));
thrown(fn () => $lock->synchronized('x', fn () => print("section ran\n"), 0, 0.005));
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::expire(): Argument #2 ($expire) must be %s
ValueError: RedisLock::expire(): Argument #2 ($expire) must be %s
ValueError: RedisLock::expire(): Argument #2 ($expire) must be %s
ValueError: RedisLock::expire(): Argument #2 ($expire) must be %s
ValueError: RedisLock::synchronized(): Argument #4 ($expire) must be %s
