--TEST--
forceUnlock() of an object's own renewed lock ends the renewing; where it fails, renewing goes on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['expire' => lease(0.6), 'renew' => true]);
$lock->lock('x');
await_renewed();
$before = RedisLock::stats()['lost_while_held'];
var_dump($lock->forceUnlock('x'), $lock->remaining('x'), $lock->unlock('x'), RedisLock::stats()['lost_while_held'] - $before);

$lock->lock('y');
$wire->answer("-ERR not now\r\n", 'EVALSHA');
thrown(fn () => $lock->forceUnlock('y'));
is_so('still held', stays($redis, 'lock:y', lease(0.9)) && $lock->remaining('y') > 0);
var_dump($lock->unlock('y'));
?>
--EXPECTF--
bool(true)
float(0)
bool(false)
int(0)
RedisLockServerException: unix://%s: ERR not now (lock "y")
still held: yes
bool(true)
