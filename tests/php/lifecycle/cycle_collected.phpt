--TEST--
An object in a reference cycle releases when the cycle is collected
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
$node = new stdClass();
$node->lock = new RedisLock($server->dsn());
$node->self = $node;
$node->lock->lock('x');
unset($node);
var_dump($redis->cmd('EXISTS', 'lock:x'));
gc_collect_cycles();
var_dump($redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
int(1)
int(0)
