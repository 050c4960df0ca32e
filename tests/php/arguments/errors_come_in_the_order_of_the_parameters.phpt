--TEST--
Of several arguments that are wrong, the error names the first
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
$wrong = ['name' => '', 'timeout' => -1, 'expire' => -1, 'token' => '', 'renew' => true];
foreach (range(0, 3) as $nth) {
    thrown(fn () => $lock->lock(...['name' => 'x', ...array_slice($wrong, $nth)]));
}
// What is wrong with $renew is the lease.
foreach (['', 'rl:baton:', 5, null] as $token) {
    thrown(fn () => $lock->lock('x', null, INF, $token, true));
}
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #1 ($name) must %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must %s
ValueError: RedisLock::lock(): Argument #4 ($token) must %s
ValueError: RedisLock::lock(): Argument #4 ($token) must %s
ValueError: RedisLock::lock(): Argument #4 ($token) must %s
TypeError: RedisLock::lock(): Argument #4 ($token) must %s
ValueError: RedisLock::lock(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
