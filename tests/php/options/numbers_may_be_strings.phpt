--TEST--
Numbers may come as numeric strings, as environment variables give them
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
$lock = new RedisLock($server->dsn(), ['expire' => '5', 'timeout' => '0.5', 'max_waiters' => '3', 'replicas' => '0', 'database' => '0']);
$lock->lock('x');
is_between('TTL', $server->client()->cmd('PTTL', 'lock:x'), 1000, 5000);
$lock = new RedisLock($server->dsn(), ['expire' => 'INF', 'timeout' => 'inf', 'max_hold' => 'INF']);
$lock->lock('y');
echo 'without end: ', $server->client()->cmd('PTTL', 'lock:y'), "\n";
?>
--EXPECT--
TTL: yes
without end: -1
