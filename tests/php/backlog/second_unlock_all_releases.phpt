--TEST--
unlockAll() threw: the object holds nothing, and a second one releases
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
$lock = new RedisLock($server->dsn());
$lock->lockAll(['x', 'y'], expire: 60);
$server->kill();
thrown(fn () => $lock->unlockAll());
var_dump($lock->held(), RedisLock::stats()['unreleased']);

$server->restart();
var_dump($lock->unlockAll(), $server->client()->cmd('EXISTS', 'lock:x', 'lock:y'), RedisLock::stats()['lost']);
?>
--EXPECTF--
RedisLockConnectionException: unix://%s: %s (lock "%s")
array(0) {
}
int(2)
bool(true)
int(0)
int(0)
