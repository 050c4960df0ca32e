--TEST--
detach() returns the token, and the lock stays in Redis
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

$lock->lock('x');
$token = $lock->token('x');
var_dump($lock->detach('x') === $token, $lock->held(), $lock->token('x'), $lock->unlock('x'));
unset($lock); // releases what it holds: nothing
var_dump($redis->cmd('GET', 'lock:x') === $token);
?>
--EXPECT--
bool(true)
array(0) {
}
NULL
bool(false)
bool(true)
