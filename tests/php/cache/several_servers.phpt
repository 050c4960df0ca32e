--TEST--
With several servers there is once(), and no remember()
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$lock = new RedisLock(array_map(fn ($server) => $server->dsn(), $servers));
thrown(fn () => $lock->remember('k', fn () => print('BUILDS'), 60));
thrown(fn () => $lock->forget('k'));
$read = function () use (&$kept) { return $kept; };
var_dump($lock->once('o', $read, function () use (&$kept) { return $kept = 'value'; }));
var_dump($lock->once('o', $read, fn () => print('BUILDS')));
$keys = fn () => array_merge(...array_map(fn ($server) => all_keys($server->client()), $servers));
is_so('nothing is left', wait_until(fn () => $keys() === [], 5), $keys());
?>
--EXPECT--
RedisLockException: remember() keeps its values on one server, and this object has several (lock "k")
RedisLockException: remember() keeps its values on one server, and this object has several (lock "k")
string(5) "value"
string(5) "value"
nothing is left: yes
