--TEST--
Every form of redis-sentinel://, and how messages name such a server: without a login, without a look at the network
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

/** How a message names the server. Nobody listens on port 1. */
function named(string $dsn, array $options = []): string
{
    try {
        (new RedisLock($dsn, $options))->lock('x');
        return 'NOTHING THROWN';
    } catch (RedisLockConnectionException $e) {
        return $e->server;
    } catch (ValueError $e) { // TLS may be left out of a build
        return str_contains($e->getMessage(), 'this build has no TLS') ? preg_replace('/^\w+-/', 'rediss-', strtolower($dsn)) . '/0' : $e->getMessage();
    }
}

$forms = [
    'redis-sentinel://127.0.0.1:1/mymaster',
    'redis-sentinel://127.0.0.1:1/mymaster/',
    'redis-sentinel://127.0.0.1:1,127.0.0.2:1,[::1]:1/mymaster/3',
    'redis-sentinel://127.0.0.1:1/mymaster?db=4',
    'redis-sentinel://127.0.0.1:1/mymaster/?db=4',
    'redis-sentinel://user:s3cret@127.0.0.1:1/mymaster',
    'redis-sentinel://:s3cret@127.0.0.1:1,127.0.0.2:1/mymaster',
    'redis-sentinel://u%40:s3cret%2F@127.0.0.1:1/my%2Fmaster%2d1',
    'Redis-Sentinel://127.0.0.1:1/MyMaster',
    'valkey-sentinel://127.0.0.1:1/mymaster',
    'VALKEY-SENTINEL://127.0.0.1:1/mymaster',
    'rediss-sentinel://127.0.0.1:1/mymaster',
    'valkeys-sentinel://127.0.0.1:1/mymaster',
    'Valkeys-Sentinel://127.0.0.1:1/mymaster',
];
foreach ($forms as $dsn) {
    echo named($dsn), "\n";
}
echo named('redis-sentinel://127.0.0.1:1/mymaster', ['database' => 7]), "\n";
echo named('redis-sentinel://127.0.0.1:1/mymaster/3', ['database' => 7]), "\n";

// Without a port it is that of a sentinel, which may be in use on this machine: nobody is asked.
new RedisLock('redis-sentinel://s1.invalid,[::1]/mymaster');
new RedisQueue('redis-sentinel://' . implode(',', array_map(fn ($i) => "s$i.invalid", range(1, 16))) . '/mymaster');
?>
--EXPECT--
redis-sentinel://127.0.0.1:1/mymaster/0
redis-sentinel://127.0.0.1:1/mymaster/0
redis-sentinel://127.0.0.1:1,127.0.0.2:1,[::1]:1/mymaster/3
redis-sentinel://127.0.0.1:1/mymaster/4
redis-sentinel://127.0.0.1:1/mymaster/4
redis-sentinel://127.0.0.1:1/mymaster/0
redis-sentinel://127.0.0.1:1,127.0.0.2:1/mymaster/0
redis-sentinel://127.0.0.1:1/my/master-1/0
redis-sentinel://127.0.0.1:1/MyMaster/0
redis-sentinel://127.0.0.1:1/mymaster/0
redis-sentinel://127.0.0.1:1/mymaster/0
rediss-sentinel://127.0.0.1:1/mymaster/0
rediss-sentinel://127.0.0.1:1/mymaster/0
rediss-sentinel://127.0.0.1:1/mymaster/0
redis-sentinel://127.0.0.1:1/mymaster/7
redis-sentinel://127.0.0.1:1/mymaster/3
