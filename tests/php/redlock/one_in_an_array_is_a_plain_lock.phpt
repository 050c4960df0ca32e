--TEST--
An array with one server: waiters stand in line, in the order of their arrival, and there is one round trip
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require __DIR__ . '/../wait/remote.inc';

$server = RedisServer::start();
$lock = new RedisLock([$server->dsn()], ['node_timeout' => 0.001]);
$lock->lock('x');
$lock->unlock('x');
$redis = $server->client();
$before = request_calls($redis);
$lock->lock('x', 1.0);
$lock->unlock('x');
echo request_calls($redis) - $before, " requests\n";

// The one is waited for by read_timeout, not by node_timeout.
$server->pause();
thrown(fn () => (new RedisLock([$server->dsn()], ['node_timeout' => 0.001, 'read_timeout' => 0.2, 'connect_timeout' => 0.2]))->lock('x'));
$server->resume();
?>
--EXPECTF--
2 requests
RedisLockConnectionException: unix://%s: no answer in time (lock "x")
