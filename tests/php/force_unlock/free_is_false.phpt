--TEST--
forceUnlock() of a name that nobody holds is false
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
$lock = new RedisLock($server->dsn());

var_dump($lock->forceUnlock('x'), all_keys($server->client()));
?>
--EXPECT--
bool(false)
array(0) {
}
