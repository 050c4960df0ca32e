--TEST--
Options of a cluster: those of TLS need rediss-cluster://, and there are no sentinels to log in at
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

const CLUSTER = 'redis-cluster://127.0.0.1:1';
thrown(fn () => new RedisLock(CLUSTER, ['tls' => ['verify_peer' => false]]));
thrown(fn () => new RedisQueue(CLUSTER, ['tls' => ['verify_peer' => false]]));
foreach ([['sentinel_password' => 's'], ['sentinel_username' => 'u'], ['sentinel_tls' => false]] as $options) {
    thrown(fn () => new RedisLock(CLUSTER, $options));
}
new RedisLock(CLUSTER, ['replicas' => 2, 'database' => 1, 'username' => 'u', 'password' => 'p']);
try {
    new RedisLock('rediss-cluster://127.0.0.1:1', ['tls' => ['verify_peer' => false]]);
} catch (ValueError $e) {
    if (!str_contains($e->getMessage(), 'this build has no TLS')) {
        throw $e;
    }
}
putenv('REDISLOCK_TEST_CLUSTER=' . CLUSTER);
thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_CLUSTER', ['sentinel_password' => 's']))->lock('x'));
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the option "tls" needs a server with TLS: rediss-cluster://
ValueError: RedisQueue::__construct(): Argument #1 ($servers) must be a server: the option "tls" needs a server with TLS: rediss-cluster://
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
RedisLockConnectionException: env:REDISLOCK_TEST_CLUSTER: the environment variable must hold a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel:// (lock "x")
