--TEST--
A cluster cannot be one of several servers: a failover may forget the votes that it gave
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$cluster = 'redis-cluster://127.0.0.1:1';
thrown(fn () => new RedisLock([$cluster, 'redis://127.0.0.1:1']));
thrown(fn () => new RedisLock(['redis://127.0.0.1:1', 'redis://127.0.0.1:2', $cluster]));
thrown(fn () => new RedisLock([$cluster, 'redis-cluster://127.0.0.1:2']));
thrown(fn () => new RedisLock([PHP_OS_FAMILY === 'Windows' ? 'redis://127.0.0.1:3' : 'unix:///nonexistent', 'VALKEY-CLUSTER://127.0.0.1:1']));
thrown(fn () => new RedisLock([$cluster, 'redis-sentinel://127.0.0.1:1/mymaster']));
thrown(fn () => new RedisLock(['redis-sentinel://127.0.0.1:1/mymaster', $cluster]));
ini_set('redislock.servers', "$cluster redis://127.0.0.1:1");
thrown(fn () => new RedisLock());

// What the environment adds is known when the first call needs it.
putenv("REDISLOCK_TEST_ONE=$cluster");
putenv("REDISLOCK_TEST_TWO=$cluster redis://127.0.0.1:1");
thrown(fn () => (new RedisLock(['redis://127.0.0.1:1', 'env:REDISLOCK_TEST_ONE']))->lock('x'));
thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_TWO'))->lock('x'));

// A list of one is that one.
ini_set('redislock.servers', $cluster);
foreach ([[$cluster], ['env:REDISLOCK_TEST_ONE'], 'env:REDISLOCK_TEST_ONE', null] as $servers) {
    try {
        (new RedisLock($servers, ['connect_timeout' => 0.2, 'replicas' => 1]))->lock('x');
        echo "NOTHING THROWN\n";
    } catch (RedisLockConnectionException $e) {
        echo $e->server, "\n";
    }
}
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST
RedisLockConnectionException: redis://127.0.0.1:1/0, env:REDISLOCK_TEST_ONE: the environment variable REDISLOCK_TEST_ONE must hold a server: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST (lock "x")
RedisLockConnectionException: env:REDISLOCK_TEST_TWO: the environment variable must hold a server: a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST (lock "x")
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
