--TEST--
forceUnlock() takes the lock away from whoever holds it
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
$a = new RedisLock($server->dsn());
$b = new RedisLock($server->dsn());

$a->lock('x');
var_dump($b->forceUnlock('x'), all_keys($redis), $a->isLocking('x'), $a->unlock('x'));
foreign_lock($redis, 'lock:x', 'theirs');
var_dump($b->forceUnlock('x'), all_keys($redis));
?>
--EXPECT--
bool(true)
array(0) {
}
bool(false)
bool(false)
bool(true)
array(0) {
}
