--TEST--
The lease ended: unlock() says false
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
var_dump($lock->unlock('x'), $lock->held());
?>
--EXPECT--
bool(false)
array(0) {
}
