--TEST--
owner() is the token of whoever holds the lock, any client's; null when it is free
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

var_dump($a->owner('x'));
$a->lock('x');
var_dump($b->owner('x') === $a->token('x'));
$a->unlock('x');
foreign_lock($redis, 'lock:x', "the\0irs");
var_dump($a->owner('x') === "the\0irs");
$redis->cmd('DEL', 'lock:x');
var_dump($a->owner('x'), all_keys($redis));
?>
--EXPECT--
NULL
bool(true)
bool(true)
NULL
array(0) {
}
