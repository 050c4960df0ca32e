--TEST--
The lease ended and another took the lock: expire() is false and leaves the other's lease alone
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

$lock->lock('x');
$redis->cmd('SET', 'lock:x', 'theirs', 'PX', 5000);
var_dump($lock->expire('x', 100));
var_dump($redis->cmd('GET', 'lock:x'));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 1, 5000);
var_dump($lock->remaining('x'));
?>
--EXPECT--
bool(false)
string(6) "theirs"
TTL: yes
float(0)
