--TEST--
Every form of redis-cluster://, and how messages name such a cluster: without a login, without a look at the network
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

/** How a message names the cluster. Nobody listens on port 1. */
function named(string $dsn, array $options = []): string
{
    try {
        (new RedisLock($dsn, $options + ['connect_timeout' => 0.2]))->lock('x');
        return 'NOTHING THROWN';
    } catch (RedisLockConnectionException $e) {
        return $e->server;
    } catch (ValueError $e) { // TLS may be left out of a build
        return str_contains($e->getMessage(), 'this build has no TLS') ? preg_replace('/^\w+-/', 'rediss-', strtolower($dsn)) . '/0' : $e->getMessage();
    }
}

$forms = [
    'redis-cluster://127.0.0.1:1',
    'redis-cluster://127.0.0.1:1/',
    'redis-cluster://127.0.0.1:1,127.0.0.2:1,[::1]:1/3',
    'redis-cluster://127.0.0.1:1?db=4',
    'redis-cluster://127.0.0.1:1/?db=4',
    'redis-cluster://user:s3cret@127.0.0.1:1',
    'redis-cluster://:s3cret@127.0.0.1:1,127.0.0.2:1',
    'redis-cluster://u%40:s3cret%2F@127.0.0.1:1',
    'Redis-Cluster://127.0.0.1:1',
    'valkey-cluster://127.0.0.1:1',
    'VALKEY-CLUSTER://127.0.0.1:1',
    'rediss-cluster://127.0.0.1:1',
    'valkeys-cluster://127.0.0.1:1',
    'Valkeys-Cluster://127.0.0.1:1',
];
foreach ($forms as $dsn) {
    echo named($dsn), "\n";
}
echo named('redis-cluster://127.0.0.1:1', ['database' => 7, 'username' => 'user', 'password' => 's3cret']), "\n";
echo named('redis-cluster://127.0.0.1:1/3', ['database' => 7]), "\n";

// Without a port it is 6379, which may be in use on this machine: nobody is asked.
new RedisLock('redis-cluster://h1.invalid,[::1]');
new RedisQueue('redis-cluster://' . implode(',', array_map(fn ($i) => "h$i.invalid", range(1, 16))));
?>
--EXPECT--
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1,127.0.0.2:1,[::1]:1/3
redis-cluster://127.0.0.1:1/4
redis-cluster://127.0.0.1:1/4
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1,127.0.0.2:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/0
rediss-cluster://127.0.0.1:1/0
rediss-cluster://127.0.0.1:1/0
rediss-cluster://127.0.0.1:1/0
redis-cluster://127.0.0.1:1/7
redis-cluster://127.0.0.1:1/3
