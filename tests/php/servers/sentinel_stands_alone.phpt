--TEST--
A server that Sentinel names cannot be one of several: it may forget the votes that it gave
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$sentinel = 'redis-sentinel://127.0.0.1:1/mymaster';
thrown(fn () => new RedisLock([$sentinel, 'redis://127.0.0.1:1']));
thrown(fn () => new RedisLock(['redis://127.0.0.1:1', 'redis://127.0.0.1:2', $sentinel]));
thrown(fn () => new RedisLock([$sentinel, 'redis-sentinel://127.0.0.1:1/other']));
thrown(fn () => new RedisLock([PHP_OS_FAMILY === 'Windows' ? 'redis://127.0.0.1:3' : 'unix:///nonexistent', "VALKEY-SENTINEL://127.0.0.1:1/m"]));
ini_set('redislock.servers', "$sentinel redis://127.0.0.1:1");
thrown(fn () => new RedisLock());

// What the environment adds is known when the first call needs it.
putenv("REDISLOCK_TEST_ONE=$sentinel");
putenv("REDISLOCK_TEST_TWO=$sentinel redis://127.0.0.1:1");
thrown(fn () => (new RedisLock(['redis://127.0.0.1:1', 'env:REDISLOCK_TEST_ONE']))->lock('x'));
thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_TWO'))->lock('x'));

// A list of one is that one.
foreach ([[$sentinel], ['env:REDISLOCK_TEST_ONE'], 'env:REDISLOCK_TEST_ONE'] as $servers) {
    thrown(fn () => (new RedisLock($servers))->lock('x'));
}
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
RedisLockConnectionException: redis://127.0.0.1:1/0, env:REDISLOCK_TEST_ONE: the environment variable REDISLOCK_TEST_ONE must hold a server: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER (lock "x")
RedisLockConnectionException: env:REDISLOCK_TEST_TWO: the environment variable must hold a server: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER (lock "x")
RedisLockConnectionException: redis-sentinel://127.0.0.1:1/mymaster/0: no sentinel could be asked; 127.0.0.1:1: Connection refused (lock "x")
RedisLockConnectionException: redis-sentinel://127.0.0.1:1/mymaster/0: no sentinel could be asked; 127.0.0.1:1: Connection refused (lock "x")
RedisLockConnectionException: redis-sentinel://127.0.0.1:1/mymaster/0: no sentinel could be asked; 127.0.0.1:1: Connection refused (lock "x")
