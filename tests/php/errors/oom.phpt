--TEST--
A server out of memory: lock() is a RedisLockServerException, OOM; what is held can be extended and released
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
$lock->lock('held');
$lock->lock('other');
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);

$e = thrown(fn () => $lock->lock('x'));
var_dump($e->lockName, $e->server === $server->address(), $e->redisError, $lock->held() !== [], $lock->token('x'));
var_dump($lock->isLocking('held'), $lock->expire('held', 60), $lock->unlock('held'), $lock->unlockAll());
var_dump(all_keys($redis));
$redis->cmd('CONFIG', 'SET', 'maxmemory', 0);
var_dump($lock->lock('x'));
?>
--EXPECTF--
RedisLockServerException: %sOOM%s
string(1) "x"
bool(true)
string(3) "OOM"
bool(true)
NULL
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
bool(true)
