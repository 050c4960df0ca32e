--TEST--
unlock() with a token that does not hold the lock is false and changes nothing
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

$lock->lock('x', token: 'mine');
var_dump($lock->unlock('x', 'other'), $redis->cmd('GET', 'lock:x'));
var_dump($lock->token('x'), $lock->isLocking('x'), $lock->unlock('x', 'mine'), $lock->held());
?>
--EXPECT--
bool(false)
string(4) "mine"
string(4) "mine"
bool(true)
bool(true)
array(0) {
}
