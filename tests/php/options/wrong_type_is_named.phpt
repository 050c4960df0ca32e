--TEST--
An option of the wrong type is a TypeError that names it
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
    ['prefix', 5], ['prefix', null ?? []], ['expire', 'soon'], ['expire', true], ['expire', []], ['timeout', 'long'],
    ['retry_interval', []], ['max_waiters', 'many'], ['fencing', []], ['fencing', 1.0], ['persistent', 0.0],
    ['connect_timeout', false], ['read_timeout', []], ['node_timeout', 'x'], ['username', 5], ['password', 12345678],
    ['database', 'zero'], ['database', true], ['max_hold', 'long'], ['replicas', 'two'], ['replicas', true],
];
foreach ($wrong as [$option, $value]) {
    thrown(fn () => new RedisLock('redis://127.0.0.1:1', [$option => $value]));
}
?>
--EXPECT--
TypeError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must be of type string, int given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must be of type string, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be of type float, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be of type float, bool given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "expire" must be of type float, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "timeout" must be of type float, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "retry_interval" must be of type float, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "max_waiters" must be of type int, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "fencing" must be of type bool, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "fencing" must be of type bool, float given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "persistent" must be of type bool, float given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "connect_timeout" must be of type float, bool given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "read_timeout" must be of type float, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "node_timeout" must be of type float, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "username" must be of type string, int given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "password" must be of type string, int given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "database" must be of type int, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "database" must be of type int, bool given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be of type float, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "replicas" must be of type int, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "replicas" must be of type int, bool given
