--TEST--
expire() of a renewed lock with INF: its lease has no end, and needs no renewing; nor is it renewed when it gets one again
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
$lock = new RedisLock($server->dsn());
$lock->lock('x', expire: lease(0.4), renew: true);
await_renewed();
var_dump($lock->expire('x', INF), $lock->remaining('x'), $redis->cmd('PTTL', 'lock:x'));
is_so('nothing more is sent', is_quiet($redis, lease(0.5)));
var_dump($lock->isLocking('x'), $lock->expire('x', 0.3));
is_so('gone with its lease', seconds_until_gone($redis, 'lock:x') < INF);
?>
--EXPECT--
bool(true)
float(INF)
int(-1)
nothing more is sent: yes
bool(true)
bool(true)
gone with its lease: yes
