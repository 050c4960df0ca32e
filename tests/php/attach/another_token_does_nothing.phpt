--TEST--
attach() with a token that does not hold the lock is false and changes nothing
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
foreign_lock($redis, 'lock:x', 'theirs', 10000);

var_dump($lock->attach('x', 'other'), $lock->attach('free', 'other'));
var_dump($lock->held(), $lock->token('x'), $redis->cmd('GET', 'lock:x'), all_keys($redis));
?>
--EXPECT--
bool(false)
bool(false)
array(0) {
}
NULL
string(6) "theirs"
array(1) {
  [0]=>
  string(6) "lock:x"
}
