--TEST--
An option out of its range is a ValueError that names it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$wrong = [
    ['expire', 0], ['expire', 0.005], ['expire', -1], ['expire', NAN], ['timeout', -0.1], ['timeout', NAN],
    ['timeout', -INF], ['retry_interval', 0], ['retry_interval', -1], ['max_waiters', -1], ['max_waiters', 1.5],
    ['auto_release', 'never'], ['auto_release', 2], ['connect_timeout', 0], ['connect_timeout', -1],
    ['read_timeout', 0], ['read_timeout', NAN], ['node_timeout', -1], ['database', -1], ['database', 1.5],
    ['database', 'INF'], ['max_waiters', '2.5'], ['read_timeout', 'INF'],
    ['replicas', -1], ['replicas', 17], ['replicas', 0.5],
];
foreach ($wrong as [$option, $value]) {
    thrown(fn () => new RedisLock('redis://127.0.0.1:1', [$option => $value]));
}
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "timeout" must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "timeout" must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "timeout" must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "retry_interval" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "retry_interval" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_waiters" must be a whole number from 0 to 1000000000
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_waiters" must be a whole number from 0 to 1000000000
ValueError: RedisLock::__construct(): Argument #2 ($options) option "auto_release" must be true, false or "request"
ValueError: RedisLock::__construct(): Argument #2 ($options) option "auto_release" must be true, false or "request"
ValueError: RedisLock::__construct(): Argument #2 ($options) option "connect_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "connect_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "read_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "read_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "node_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "database" must be a whole number from 0 to 2147483647
ValueError: RedisLock::__construct(): Argument #2 ($options) option "database" must be a whole number from 0 to 2147483647
ValueError: RedisLock::__construct(): Argument #2 ($options) option "database" must be a whole number from 0 to 2147483647
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_waiters" must be a whole number from 0 to 1000000000
ValueError: RedisLock::__construct(): Argument #2 ($options) option "read_timeout" must be between 0.001 and 1000000000 seconds
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" must be a whole number from 0 to 16
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" must be a whole number from 0 to 16
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" must be a whole number from 0 to 16
