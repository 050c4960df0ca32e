--TEST--
expire() of a lease that has ended is false and makes no key
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
$redis->cmd('DEL', 'lock:x'); // what the end of a lease does
var_dump($lock->expire('x', 10), all_keys($redis));
var_dump($lock->remaining('x'), $lock->isLocking('x'), $lock->unlock('x'));
?>
--EXPECT--
bool(false)
array(0) {
}
float(0)
bool(false)
bool(false)
