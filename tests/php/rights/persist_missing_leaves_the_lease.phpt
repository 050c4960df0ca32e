--TEST--
A user without PERSIST: expire() with INF is refused, and leaves the lease as it was
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(['user worker on >w0rk ~* &* +@all -persist']);
$lock = new RedisLock($server->dsn(), ['username' => 'worker', 'password' => 'w0rk']);

$lock->lock('x', expire: 60);
echo outcome(fn () => $lock->expire('x', INF)), "\n";
is_between('remaining', $lock->remaining('x'), 30, 60);
is_between('in Redis, ms', $server->client()->cmd('PTTL', 'lock:x'), 30000, 60000);
echo outcome(fn () => $lock->expire('x', 50)), "\n";
echo outcome(fn () => $lock->unlock('x')), "\n";
?>
--EXPECT--
RedisLockServerException NOPERM
remaining: yes
in Redis, ms: yes
true
true
