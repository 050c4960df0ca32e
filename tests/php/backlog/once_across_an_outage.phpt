--TEST--
once() across an outage: the value, and a warning that the lock may stay; the next call releases it first
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

$server = RedisServer::start(['appendonly yes', 'appendfsync always']);
$lock = new RedisLock($server->dsn(), ['expire' => 60]);
var_dump($lock->once('k', fn () => null, function () use ($server) {
    $server->kill();
    return 'built';
}));
$server->restart();
var_dump($lock->lock('k'));
?>
--EXPECTF--
Warning: RedisLock::once(): RedisLock could not release a lock; Redis may keep it for another %d.%d s: unix://%s: %s (lock "k") in %s on line %d
string(5) "built"
bool(true)
