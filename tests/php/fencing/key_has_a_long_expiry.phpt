--TEST--
The fence's key stays behind a release, and does not stay for ever
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

$lock->lock('x');
$fence = $lock->fence('x');
$lock->unlock('x');
print_r(all_keys($redis));
var_dump((int) $redis->cmd('GET', '{lock:x}:rl:fence') === $fence);
is_between('days', $redis->cmd('PTTL', '{lock:x}:rl:fence') / 86400000, 7, 366);
?>
--EXPECT--
Array
(
    [0] => {lock:x}:rl:fence
)
bool(true)
days: yes
