--TEST--
A lost section that returned nothing has null as its result
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

$e = thrown(fn () => $lock->synchronized('x', function () use ($redis) {
    $redis->cmd('DEL', 'lock:x');
}));
var_dump($e->result);
?>
--EXPECTF--
RedisLockLostException: %s
NULL
