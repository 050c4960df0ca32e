--TEST--
isLocking() asks Redis: true while our token holds the lock, false for everybody else
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$a = new RedisLock($wire->dsn());
$b = new RedisLock($server->dsn());

var_dump($a->isLocking('x'));
$a->lock('x');
$a->isLocking('x');
$wire->forget();
var_dump($a->isLocking('x'));
is_so('one round trip', $wire->roundTrips() === 1 && count($wire->requests()) === 1, $wire->requests());
var_dump($b->isLocking('x'));
$redis->cmd('SET', 'lock:x', 'theirs'); // the lease ended, and another took it
var_dump($a->isLocking('x'), $redis->cmd('GET', 'lock:x'));
?>
--EXPECT--
bool(false)
bool(true)
one round trip: yes
bool(false)
bool(false)
string(6) "theirs"
