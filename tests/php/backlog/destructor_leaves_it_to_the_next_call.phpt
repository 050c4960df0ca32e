--TEST--
What an object could not release when it went is released by the next call of the process
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

$server = RedisServer::start(['appendonly yes', 'appendfsync always']);
$lock = new RedisLock($server->dsn(), ['persistent' => false]);
$lock->lock('x', expire: 60);
$server->kill();
unset($lock);
$server->restart();
$redis = $server->client();
var_dump($redis->cmd('EXISTS', 'lock:x'));
(new RedisLock($server->dsn()))->owner('other'); // any object on this server
var_dump(wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0));
?>
--EXPECTF--
Warning: %sRedisLock could not release a lock; Redis may keep it for another %f s: unix://%s: %s (lock "x") in %s on line %d
int(1)
bool(true)
