--TEST--
The fence keeps growing when the stored one is ahead of the server's clock
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

$ahead = (time() + 3600) * 1000000;
$redis->cmd('SET', '{lock:x}:rl:fence', $ahead);
$lock->lock('x');
var_dump($lock->fence('x') === $ahead + 1);
$lock->unlock('x');
$lock->lock('x');
var_dump($lock->fence('x') === $ahead + 2);
?>
--EXPECT--
bool(true)
bool(true)
