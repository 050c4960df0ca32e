--TEST--
$token as int, float or bool is a TypeError also without strict_types, and says what to write
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
foreach ([100000, 0, 1.5, true, false, []] as $token) {
    thrown(fn () => $lock->lock('x', 0, 5, $token));
}
foreach ([100000, 1.5, true, false] as $token) {
    thrown(fn () => $lock->unlock('x', $token));
    thrown(fn () => $lock->expire('x', 5, $token));
    thrown(fn () => $lock->attach('x', $token));
}
?>
--EXPECTF--
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, int given: %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, int given: %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, float given: %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, array given%S
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, int given: %s
TypeError: RedisLock::expire(): Argument #3 ($token) must be of type ?string, int given: %s
TypeError: RedisLock::attach(): Argument #2 ($token) must be of type string, int given%S
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, float given: %s
TypeError: RedisLock::expire(): Argument #3 ($token) must be of type ?string, float given: %s
TypeError: RedisLock::attach(): Argument #2 ($token) must be of type string, float given%S
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::expire(): Argument #3 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::attach(): Argument #2 ($token) must be of type string, %s given%S
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::expire(): Argument #3 ($token) must be of type ?string, %s given: %s
TypeError: RedisLock::attach(): Argument #2 ($token) must be of type string, %s given%S
