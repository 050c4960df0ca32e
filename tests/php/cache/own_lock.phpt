--TEST--
remember() of a name that this object holds: the value if it is there, otherwise an exception that says so
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
$lock = new RedisLock($server->dsn());
$lock->lock('k');
$act = fn () => $lock->remember('k', fn () => print('BUILDS'), 60, timeout: 20);
took_between('at once', seconds(fn () => thrown($act)), 0, 1);
took_between('at once', seconds(fn () => thrown(fn () => $lock->once('k', fn () => null, fn () => print('BUILDS'), 20))), 0, 1);
var_dump($lock->unlock('k'));
thrown(fn () => $lock->remember('k', fn () => $lock->remember('k', fn () => print('BUILDS'), 60), 60));
$lock->remember('k', fn () => 'value', 60);
$lock->lock('k');
var_dump($act(), $lock->once('k', fn () => 'read', fn () => print('BUILDS')));
?>
--EXPECTF--
RedisLockHeldException: %s: this object holds the lock already (lock "k")
at once: yes
RedisLockHeldException: %s: this object holds the lock already (lock "k")
at once: yes
bool(true)
RedisLockHeldException: %s: this object holds the lock already (lock "k")
string(5) "value"
string(4) "read"
