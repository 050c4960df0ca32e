--TEST--
expire() takes the end away from a lease, and gives it one again
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());

$lock->lock('x', expire: 10);
var_dump($lock->expire('x', INF), $redis->cmd('PTTL', 'lock:x'), $lock->remaining('x'));
var_dump($lock->expire('x', 10));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 8000, 10000);
is_between('remaining', $lock->remaining('x'), 8, 10);
?>
--EXPECT--
bool(true)
int(-1)
float(INF)
bool(true)
TTL: yes
remaining: yes
