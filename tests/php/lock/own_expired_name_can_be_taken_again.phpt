--TEST--
A name that this object held until its lease ended can be locked again
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

var_dump($lock->lock('x', expire: 1));
$first = $redis->cmd('GET', 'lock:x');
is_so('the lease ended', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0 && $lock->remaining('x') === 0.0));
var_dump($lock->lock('x'));
is_so('a new token', is_string($first) && $lock->token('x') !== $first);
var_dump($lock->isLocking('x'));
?>
--EXPECT--
bool(true)
the lease ended: yes
bool(true)
a new token: yes
bool(true)
