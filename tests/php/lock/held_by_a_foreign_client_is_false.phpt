--TEST--
A foreign client's SET key token NX PX excludes us, and its release lets us in
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());

var_dump(foreign_lock($redis, 'lock:x', 'theirs'));
var_dump($lock->lock('x'));
var_dump($redis->cmd('GET', 'lock:x'));
var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
bool(false)
string(6) "theirs"
bool(true)
bool(true)
