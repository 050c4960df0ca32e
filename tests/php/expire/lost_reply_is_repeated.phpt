--TEST--
A reply lost after expire(): it is asked again, and the lease is set
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn());
$lock->lock('x', expire: 5);

$wire->loseReply('EVALSHA');
var_dump($lock->expire('x', 60));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 50000, 60005); // the repeat moves the end that it finds: see lua/inc/mark.lua
is_between('remaining', $lock->remaining('x'), 50, 60);
?>
--EXPECT--
bool(true)
TTL: yes
remaining: yes
