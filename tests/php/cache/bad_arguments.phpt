--TEST--
remember(), once() and forget(): bad arguments are refused before anything is sent
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$f = fn () => print('CALLED');
thrown(fn () => $lock->remember('', $f, 1));
thrown(fn () => $lock->remember('k:rl:value', $f, 1));
thrown(fn () => $lock->remember('k:rl:wake', $f, 1));
thrown(fn () => $lock->remember('k', 'no function', 1));
thrown(fn () => $lock->remember('k', $f, 0));
thrown(fn () => $lock->remember('k', $f, NAN));
thrown(fn () => $lock->remember('k', $f, 1, -1));
thrown(fn () => $lock->remember('k', $f, 1, 1, -1));
thrown(fn () => $lock->remember('k', $f, 1, 1, 0, ['A', 5]));
thrown(fn () => $lock->once('', $f, $f));
thrown(fn () => $lock->once('k', $f, 5));
thrown(fn () => $lock->once('k', $f, $f, NAN));
thrown(fn () => $lock->forget(''));
thrown(fn () => $lock->forget(str_repeat('x', 65536)));
var_dump($wire->connections());
?>
--EXPECTF--
ValueError: RedisLock::remember(): Argument #1 ($key) must not be empty
ValueError: RedisLock::remember(): Argument #1 ($key) must not end in %s
ValueError: RedisLock::remember(): Argument #1 ($key) must not end in %s
TypeError: RedisLock::remember(): Argument #2 ($rebuild) must be a valid callback, %s
ValueError: RedisLock::remember(): Argument #3 ($ttl) must be more than 0 and up to 1000000000 seconds, or INF
ValueError: RedisLock::remember(): Argument #3 ($ttl) must be more than 0 and up to 1000000000 seconds, or INF
ValueError: RedisLock::remember(): Argument #4 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::remember(): Argument #5 ($stale) must be between 0 and 1000000000 seconds, or INF
TypeError: RedisLock::remember(): Argument #6 ($allowedClasses) must be an array of class names, int given among them
ValueError: RedisLock::once(): Argument #1 ($name) must not be empty
TypeError: RedisLock::once(): Argument #3 ($rebuild) must be a valid callback, %s
ValueError: RedisLock::once(): Argument #4 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::forget(): Argument #1 ($key) must not be empty
ValueError: RedisLock::forget(): Argument #1 ($key) must not be longer than 65535 bytes
int(0)
