--TEST--
isLocking() is false when the lease has ended
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

$lock->lock('x', expire: 1.0);
is_so('the lease ended', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0));
var_dump($lock->isLocking('x'));
?>
--EXPECT--
the lease ended: yes
bool(false)
