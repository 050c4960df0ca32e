--TEST--
A malformed redis-sentinel:// is a ValueError, at construction, that says what is wrong and quotes nothing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$hosts = fn (int $count) => implode(',', array_map(fn ($i) => "s$i", range(1, $count)));
$malformed = [
    'redis-sentinel://', 'redis-sentinel:///m', 'redis-sentinel://s1,/m', 'redis-sentinel://s1,,s2/m', 'redis-sentinel://:s3cret@/m',
    'redis-sentinel://s1', 'redis-sentinel://s1,s2/', 'redis-sentinel://s1//0', 'redis-sentinel://s1?db=1',
    'redis-sentinel://' . $hosts(17) . '/m',
    'redis-sentinel://s1:/m', 'redis-sentinel://s1:0/m', 'redis-sentinel://s1,s2:65536/m', 'redis-sentinel://s1:26379x/m',
    'redis-sentinel://::1/m', 'redis-sentinel://[::1/m',
    'redis-sentinel://s1, s2/m', 'redis-sentinel://s%zz/m', 'redis-sentinel://s1/m%', 'redis-sentinel://s1/m%00',
    'redis-sentinel://s1/m/x', 'redis-sentinel://s1/m/1/2', 'redis-sentinel://s1/m?db=', 'redis-sentinel://s1/m?quorum=2',
    'redis-sentinel://user@s1/m', 'redis-sentinel://us%er:s3cret@s1/m', 'redis-sentinel://user:s3cret%@s1/m',
    'redis-sentinel://s1,s2:26379,s1:26379/m', 'redis-sentinel://127.0.0.1,LOCALHOST/m', 'redis-sentinel://[::1],[0:0::1]/m',
    'sentinel://s1/m', 'redis-sentinels://s1/m', 'redis+sentinel://s1/m',
];
foreach ($malformed as $dsn) {
    echo preg_replace('/s\d(,s\d+)+,s17/', 's1,…,s17', str_replace('s3cret', '…', $dsn)), "\n  ";
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
redis-sentinel://
  the host is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel:///m
  the host is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1,/m
  the host is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1,,s2/m
  the host is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://:…@/m
  the host is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1
  the name of the master is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1,s2/
  the name of the master is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1//0
  the name of the master is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1?db=1
  the name of the master is missing: redis-sentinel://HOST:26379/MASTER
redis-sentinel://s1,…,s17/m
  there may be 16 sentinels at most
redis-sentinel://s1:/m
  the port must be a whole number from 1 to 65535
redis-sentinel://s1:0/m
  the port must be a whole number from 1 to 65535
redis-sentinel://s1,s2:65536/m
  the port must be a whole number from 1 to 65535
redis-sentinel://s1:26379x/m
  the port must be a whole number from 1 to 65535
redis-sentinel://::1/m
  an IPv6 address stands in brackets: redis://[::1]:6379
redis-sentinel://[::1/m
  an IPv6 address stands in brackets: redis://[::1]:6379
redis-sentinel://s1, s2/m
  the host must have no spaces
redis-sentinel://s%zz/m
  the host is not properly percent-encoded
redis-sentinel://s1/m%
  the name of the master is not properly percent-encoded
redis-sentinel://s1/m%00
  the name of the master is not properly percent-encoded
redis-sentinel://s1/m/x
  the database must be a whole number, 0 or more
redis-sentinel://s1/m/1/2
  the database must be a whole number, 0 or more
redis-sentinel://s1/m?db=
  the database must be a whole number, 0 or more
redis-sentinel://s1/m?quorum=2
  the only parameter after '?' is db=NUMBER
redis-sentinel://user@s1/m
  a user needs a password: user:password@, or the option "password"
redis-sentinel://us%er:…@s1/m
  the user name is not properly percent-encoded
redis-sentinel://user:…%@s1/m
  the password is not properly percent-encoded
redis-sentinel://s1,s2:26379,s1:26379/m
  the same sentinel is named twice
redis-sentinel://127.0.0.1,LOCALHOST/m
  the same sentinel is named twice
redis-sentinel://[::1],[0:0::1]/m
  the same sentinel is named twice
sentinel://s1/m
  the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix
redis-sentinels://s1/m
  the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix
redis+sentinel://s1/m
  the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix
