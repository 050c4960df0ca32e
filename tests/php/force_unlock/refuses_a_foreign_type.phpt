--TEST--
forceUnlock() does not delete a key that is no lock
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
$redis->cmd('RPUSH', 'lock:x', 'data of somebody');
$lock = new RedisLock($server->dsn());

$e = thrown(fn () => $lock->forceUnlock('x'));
var_dump($e->redisError, $redis->cmd('LRANGE', 'lock:x', 0, -1));
?>
--EXPECTF--
RedisLockServerException: %s
string(9) "WRONGTYPE"
array(1) {
  [0]=>
  string(16) "data of somebody"
}
