--TEST--
synchronized() across an outage: the result, a warning with lock, server and seconds; the next call releases first
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
var_dump($lock->synchronized('SKU0001', function () use ($server) {
    $server->kill();
    return 'sold';
}));
var_dump($lock->held(), RedisLock::stats()['unreleased']);

$server->restart();
$other = new RedisLock($server->dsn());
var_dump($other->lock('SKU0001')); // of another object of this process
?>
--EXPECTF--
Warning: RedisLock::synchronized(): RedisLock could not release a lock; Redis may keep it for another %d.%d s: unix://%s: %s (lock "SKU0001") in %s on line %d
string(4) "sold"
array(0) {
}
int(1)
bool(true)
