--TEST--
A second acquisition with the token that holds the lock is held like any other
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
$a = new RedisLock($server->dsn());
$b = new RedisLock($server->dsn());

var_dump($a->lock('x', token: 'same'));
var_dump($b->lock('x', token: 'same'));
var_dump($b->held());
?>
--EXPECT--
bool(true)
bool(false)
array(0) {
}
