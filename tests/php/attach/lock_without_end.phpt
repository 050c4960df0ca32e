--TEST--
attach() of a lock without a TTL
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$redis->cmd('SET', 'lock:x', 'job-1');

var_dump($lock->attach('x', 'job-1'), $lock->remaining('x'), $lock->expire('x', 10), $lock->remaining('x') <= 10);
?>
--EXPECT--
bool(true)
float(INF)
bool(true)
bool(true)
