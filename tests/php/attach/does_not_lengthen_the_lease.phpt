--TEST--
attach() leaves the lease as it is, but for 5 ms, which mark that somebody counts on it
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
$lock = new RedisLock($server->dsn());
foreign_lock($redis, 'lock:x', 'job-1', 5000);

$lock->attach('x', 'job-1');
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 1, 5005);
is_between('remaining', $lock->remaining('x'), 1, 5);
?>
--EXPECT--
TTL: yes
remaining: yes
