--TEST--
expire() without seconds uses the option `expire`
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
$lock = new RedisLock($server->dsn(), ['expire' => 45]);

$lock->lock('x', expire: 5);
var_dump($lock->expire('x'));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 40000, 45000);
$lock->expire('x', 5);
var_dump($lock->expire('x', null));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 40000, 45000);
?>
--EXPECT--
bool(true)
TTL: yes
bool(true)
TTL: yes
