--TEST--
Of several environment variables, the exception names the one that is not set or holds no server
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock(['env:SERVER_A', 'env:SERVER_B']);
thrown(fn () => $lock->lock('x'));
putenv('SERVER_A=redis://127.0.0.1:1');
thrown(fn () => $lock->lock('x'));
putenv('SERVER_B= ');
thrown(fn () => $lock->lock('x'));
putenv('SERVER_B=http://127.0.0.1');
thrown(fn () => $lock->lock('x'));
$lock = new RedisLock(['redis://127.0.0.1:1', 'env:SERVER_C']);
thrown(fn () => $lock->lock('x'));
?>
--EXPECTF--
RedisLockConnectionException: env:SERVER_A, env:SERVER_B: the environment variable SERVER_A is not set (lock "x")
RedisLockConnectionException: env:SERVER_A, env:SERVER_B: the environment variable SERVER_B is not set (lock "x")
RedisLockConnectionException: env:SERVER_A, env:SERVER_B: the environment variable SERVER_B must hold a server (lock "x")
RedisLockConnectionException: env:SERVER_A, env:SERVER_B: the environment variable SERVER_B must hold a server: %s (lock "x")
RedisLockConnectionException: %senv:SERVER_C: the environment variable SERVER_C is not set (lock "x")
