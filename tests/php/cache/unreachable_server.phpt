--TEST--
remember(), once() and forget() with the server gone are a RedisLockConnectionException, and nothing is built
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$lock = new RedisLock('redis://127.0.0.1:1');
echo outcome(fn () => $lock->remember('k', fn () => print('BUILDS'), 60)), "\n";
echo outcome(fn () => $lock->once('k', fn () => null, fn () => print('BUILDS'))), "\n";
echo outcome(fn () => $lock->forget('k')), "\n";

$server = RedisServer::start();
$builder = building($server);
$waiter = remembering($server, 'print("BUILDS")', 'ttl: 60, timeout: 1');
await_blocked($server->client(), 1);
$server->kill();
echo strtok($waiter->output(), ':'), "\n";
$builder->tell('value'); // which cannot be kept
echo strtok($builder->output(), ':'), "\n";
?>
--EXPECT--
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
