--TEST--
What the constructor takes for several servers, and what it refuses
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$a = fn (...$servers) => thrown(fn () => new RedisLock($servers));
thrown(fn () => new RedisLock([]));
$a('redis://a:1', 5);
$a('redis://a:1', null);
$a('redis://a:1', ['redis://b:1']);
$a('redis://a:1', '');
$a('redis://a:1', 'http://b');
$a('redis://a:1 redis://b:1');
$a(...array_map(fn ($i) => "redis://a:$i", range(1, 17)));
echo "these are taken:\n";
foreach ([['redis://a:1'], ['redis://a:1', 'redis://a:2'], array_map(fn ($i) => "redis://a:$i", range(1, 16)), ['k' => 'redis://a', 'l' => 'unix:///b'], ['env:A', 'redis://a', 'env:B']] as $servers) {
    new RedisLock($servers);
    echo count($servers), "\n";
}
$reference = 'redis://b:1';
$list = ['redis://a:1', &$reference];
new RedisLock($list);
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must not be empty
TypeError: RedisLock::__construct(): Argument #1 ($servers) must be a list of strings, int given
TypeError: RedisLock::__construct(): Argument #1 ($servers) must be a list of strings, null given
TypeError: RedisLock::__construct(): Argument #1 ($servers) must be a list of strings, array given
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: there may be 16 at most
these are taken:
1
2
16
2
3
