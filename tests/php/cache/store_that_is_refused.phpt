--TEST--
remember(): what Redis refuses to keep is an exception, and the lock is free
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
$e = thrown(fn () => $lock->remember('k', function () use ($redis) {
    $redis->cmd('CONFIG', 'SET', 'maxmemory', '1');
    return 'value';
}, 60));
var_dump($e->redisError, all_keys($redis), $lock->held());
$redis->cmd('CONFIG', 'SET', 'maxmemory', '0');
var_dump($lock->remember('k', fn () => 'value', 60));
?>
--EXPECTF--
RedisLockServerException: %s: OOM %s (lock "k")
string(3) "OOM"
array(0) {
}
array(0) {
}
string(5) "value"
