--TEST--
expire() sets the lease anew from now on, longer or shorter
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
var_dump($lock->expire('x', 60));
is_between('longer: TTL', $redis->cmd('PTTL', 'lock:x'), 50000, 60000);
is_between('longer: remaining', $lock->remaining('x'), 50, 60);
var_dump($lock->expire('x', 5.5));
is_between('shorter: TTL', $redis->cmd('PTTL', 'lock:x'), 3000, 5500);
is_between('shorter: remaining', $lock->remaining('x'), 3, 5.5);
?>
--EXPECT--
bool(true)
longer: TTL: yes
longer: remaining: yes
bool(true)
shorter: TTL: yes
shorter: remaining: yes
