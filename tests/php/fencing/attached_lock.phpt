--TEST--
An attached lock's fence is the one that its holder got
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
$a = new RedisLock($server->dsn(), ['fencing' => true]);
$b = new RedisLock($server->dsn(), ['fencing' => true]);

$a->lock('x');
$fence = $a->fence('x');
var_dump($b->attach('x', $a->detach('x')));
var_dump($b->fence('x') === $fence);
?>
--EXPECT--
bool(true)
bool(true)
