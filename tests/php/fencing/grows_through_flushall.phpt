--TEST--
The fence keeps growing when its key is lost: FLUSHALL, a restart, its expiry
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
$lock = new RedisLock($server->dsn(), ['fencing' => true]);

$lock->lock('x');
$before = $lock->fence('x');
$redis->cmd('FLUSHALL');
$lock->unlock('x');
$lock->lock('x');
$after = $lock->fence('x');
var_dump($after > $before);

$server->restart();
$lock->unlock('x');
$lock->lock('x');
var_dump($lock->fence('x') > $after);
?>
--EXPECT--
bool(true)
bool(true)
