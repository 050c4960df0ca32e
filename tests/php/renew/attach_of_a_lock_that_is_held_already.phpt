--TEST--
attach() of a lock that the object holds and renews already: renewed as the new call says
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.6)]);
$lock->lock('x', renew: true);
await_renewed();
var_dump($lock->attach('x', $lock->token('x'), renew: true), stays($redis, 'lock:x', lease(0.9)), $lock->remaining('x') > 0);
var_dump($lock->attach('x', 'another token', renew: true), stays($redis, 'lock:x', lease(0.9)), $lock->remaining('x') > 0);
var_dump($lock->attach('x', $lock->token('x'), renew: false));
is_so('gone with its lease', seconds_until_gone($redis, 'lock:x') < INF);
var_dump($lock->remaining('x'), $lock->unlock('x'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
gone with its lease: yes
float(0)
bool(false)
