--TEST--
The server stands still during its first release ever: when it goes on, the lock is free
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
$lock = new RedisLock($server->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
$lock->lock('x');
$server->pause();
echo outcome(fn () => $lock->unlock('x')), "\n";
$server->resume();
is_so('free', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0, 2));
?>
--EXPECT--
RedisLockConnectionException
free: yes
