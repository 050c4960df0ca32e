--TEST--
A malformed redis-cluster:// is a ValueError, at construction, that says what is wrong and quotes nothing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$hosts = fn (int $count) => implode(',', array_map(fn ($i) => "h$i", range(1, $count)));
$malformed = [
    'redis-cluster://', 'redis-cluster:///1', 'redis-cluster://h1,', 'redis-cluster://h1,,h2/1', 'redis-cluster://:s3cret@',
    'redis-cluster://' . $hosts(17),
    'redis-cluster://h1:', 'redis-cluster://h1,h2:65536', 'redis-cluster://::1', 'redis-cluster://h1, h2',
    'redis-cluster://h1/x', 'redis-cluster://h1?nodes=2', 'redis-cluster://user@h1', 'redis-cluster://user:s3cret%@h1',
    'redis-cluster://h1,h2:6379,h1:6379', 'redis-cluster://127.0.0.1,LOCALHOST', 'redis-cluster://[::1],[0:0::1]',
    'redis+cluster://h1',
];
foreach ($malformed as $dsn) {
    echo preg_replace('/h\d(,h\d+)+,h17/', 'h1,…,h17', str_replace('s3cret', '…', $dsn)), "\n  ";
    try {
        new RedisLock($dsn);
        echo "ACCEPTED\n";
    } catch (ValueError $e) {
        echo preg_replace('/^RedisLock::__construct\(\): Argument #1 \(\$servers\) must be a server: /', '', $e->getMessage()), "\n";
        if (str_contains(shown($e), 's3cret')) {
            echo "  SHOWS THE SECRET\n";
        }
    }
}
?>
--EXPECT--
redis-cluster://
  the host is missing: redis-cluster://HOST:6379
redis-cluster:///1
  the host is missing: redis-cluster://HOST:6379
redis-cluster://h1,
  the host is missing: redis-cluster://HOST:6379
redis-cluster://h1,,h2/1
  the host is missing: redis-cluster://HOST:6379
redis-cluster://:…@
  the host is missing: redis-cluster://HOST:6379
redis-cluster://h1,…,h17
  there may be 16 nodes at most, and one is enough
redis-cluster://h1:
  the port must be a whole number from 1 to 65535
redis-cluster://h1,h2:65536
  the port must be a whole number from 1 to 65535
redis-cluster://::1
  an IPv6 address stands in brackets: redis://[::1]:6379
redis-cluster://h1, h2
  the host must have no spaces
redis-cluster://h1/x
  the database must be a whole number, 0 or more
redis-cluster://h1?nodes=2
  the only parameter after '?' is db=NUMBER
redis-cluster://user@h1
  a user needs a password: user:password@, or the option "password"
redis-cluster://user:…%@h1
  the password is not properly percent-encoded
redis-cluster://h1,h2:6379,h1:6379
  the same node is named twice
redis-cluster://127.0.0.1,LOCALHOST
  the same node is named twice
redis-cluster://[::1],[0:0::1]
  the same node is named twice
redis+cluster://h1
  the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix
