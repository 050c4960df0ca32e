--TEST--
The lease ended and another took the lock: unlock() is false and leaves the other's lock alone
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
$slow = new RedisLock($server->dsn());
$next = new RedisLock($server->dsn());

$slow->lock('x', expire: 1.0);
is_so('the lease ended', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0));
var_dump($next->lock('x'));
var_dump($slow->unlock('x'));
var_dump($next->isLocking('x'), $next->unlock('x'));
?>
--EXPECT--
the lease ended: yes
bool(true)
bool(false)
bool(true)
bool(true)
