--TEST--
Without $expire and without the option, the lease is 30 s
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

var_dump($lock->lock('x'));
$ttl = $redis->cmd('PTTL', 'lock:x');
var_dump($ttl > 25000 && $ttl <= 30000);
?>
--EXPECT--
bool(true)
bool(true)
