--TEST--
A foreign type on {K}:rl:fence: the right exception, and nothing of ours stays locked
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
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
$redis->cmd('RPUSH', '{lock:x}:rl:fence', 'foreign');

echo 'lock: ', outcome(fn () => $lock->lock('x')), "\n";
var_dump($lock->held(), $redis->cmd('EXISTS', 'lock:x'));
$plain = new RedisLock($server->dsn());
echo 'without fencing: ', outcome(fn () => $plain->lock('x') && $plain->unlock('x')), "\n";
?>
--EXPECT--
lock: RedisLockServerException WRONGTYPE
array(0) {
}
int(0)
without fencing: true
