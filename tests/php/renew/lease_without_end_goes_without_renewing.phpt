--TEST--
Where the option says to renew, renew: false takes a lease without end; where the option has no end, expire: gives one
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
$lock = new RedisLock($server->dsn(), ['expire' => INF, 'renew' => true]);
var_dump($lock->lock('x', renew: false), $redis->cmd('PTTL', 'lock:x'), $lock->attach('x', $lock->token('x'), renew: false));
var_dump($lock->lock('y', expire: lease(0.4)), stays($redis, 'lock:y', lease(0.6)), $lock->unlockAll());
?>
--EXPECT--
bool(true)
int(-1)
bool(true)
bool(true)
bool(true)
bool(true)
