--TEST--
Belief ends when the release is asked for: after unlock() threw, the object holds nothing and asks Redis again
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
$lock->lock('x', expire: 60);
$server->kill();
thrown(fn () => $lock->unlock('x'));

var_dump($lock->held(), $lock->remaining('x'), $lock->token('x'), $lock->isLocking('x'), $lock->expire('x', 30));

$server->restart();
var_dump($server->client()->cmd('EXISTS', 'lock:x'));
var_dump($lock->lock('x')); // asks, behind the release
is_between('remaining', $lock->remaining('x'), 20, 30);
var_dump($lock->unlock('x'));
?>
--EXPECTF--
RedisLockConnectionException: unix://%s: %s (lock "x")
array(0) {
}
float(0)
NULL
bool(false)
bool(false)
int(1)
bool(true)
remaining: yes
bool(true)
