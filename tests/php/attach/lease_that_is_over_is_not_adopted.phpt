--TEST--
attach() is false for a lock that Redis still has, and of whose lease nothing is left
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
$attached = 0;
for ($i = 0; $i < 200; $i++) {
    foreign_lock($redis, 'lock:x', 'job-1', 5000);
    $redis->cmd('PEXPIRE', 'lock:x', 2); // no more than what clocks may drift apart
    $attached += $lock->attach('x', 'job-1');
    $redis->cmd('DEL', 'lock:x');
}
is_so('none of them is adopted', $attached === 0, $attached);
?>
--EXPECT--
none of them is adopted: yes
