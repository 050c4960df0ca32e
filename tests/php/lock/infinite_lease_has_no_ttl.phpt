--TEST--
INF as lease is a lock without an end
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

var_dump($lock->lock('x', expire: INF));
var_dump($redis->cmd('PTTL', 'lock:x'), $lock->remaining('x'), $lock->held());
var_dump($lock->isLocking('x'), $lock->unlock('x'), all_keys($redis));
?>
--EXPECT--
bool(true)
int(-1)
float(INF)
array(1) {
  ["x"]=>
  float(INF)
}
bool(true)
bool(true)
array(0) {
}
