--TEST--
Our lock excludes a foreign client that does SET key token NX PX, until we release it
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

$lock->lock('x');
var_dump(foreign_lock($redis, 'lock:x', 'theirs'));
$lock->unlock('x');
var_dump(foreign_lock($redis, 'lock:x', 'theirs'));
?>
--EXPECT--
bool(false)
bool(true)
