--TEST--
A malformed server is a ValueError, at construction, that does not quote it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$malformed = [
    '', ' ', '127.0.0.1', '127.0.0.1:6379', 'redis:', 'redis:127.0.0.1', 'redis://', 'redis://:6379', 'redis:///5',
    'http://127.0.0.1', 'REDIS', 'redis://127.0.0.1:', 'redis://127.0.0.1:0', 'redis://127.0.0.1:65536',
    'redis://127.0.0.1:-1', 'redis://127.0.0.1:63x', 'redis://127.0.0.1/abc', 'redis://127.0.0.1/-1',
    'redis://127.0.0.1/1/2', 'redis://127.0.0.1/99999999999', 'redis://127.0.0.1?timeout=5', 'redis://::1:6379',
    'redis://[::1', "redis://127.0.0.1\0.example", 'redis://us%er:p@127.0.0.1', 'redis://user:p%zz@127.0.0.1',
    'redis://user@127.0.0.1', 'unix://', 'unix://redis.sock', 'unix:///a?db=', 'unix:///a?db=x', 'unix:///a?x=1',
    'unix:///a?db=1&db=2', "unix:///a\0b", 'unix:///' . str_repeat('a', 120), 'redis://127.0.0.1 ', 'redis://a b',
];
foreach ($malformed as $server) {
    try {
        new RedisLock($server);
        echo 'ACCEPTED: ', json_encode($server), "\n";
    } catch (ValueError $e) {
        if (!str_starts_with($e->getMessage(), 'RedisLock::__construct(): Argument #1 ($servers) must ')) {
            echo json_encode($server), ': ', $e->getMessage(), "\n";
        }
    }
}
thrown(fn () => new RedisLock('http://user:s3cret@127.0.0.1'));
thrown(fn () => new RedisLock('redis://node-1,node-2'));
thrown(fn () => new RedisLock('redis://node-1:7001,node-2:7002'));
$e = thrown(fn () => new RedisLock('redis://user:s3cret@127.0.0.1:99999'));
has_no_secret('exception', shown($e), 's3cret');
$e = thrown(fn () => new RedisLock(['redis://user:s3cret@127.0.0.1:99999']));
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the host must be one: several are redis-cluster://HOST,HOST or redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the host must be one: several are redis-cluster://HOST,HOST or redis-sentinel://HOST,HOST/MASTER
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
exception: no secret
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
exception: no secret
