--TEST--
redis://host:port/db
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(tcp: true);
$redis = $server->client();
$lock = new RedisLock($server->tcpDsn(database: 3));
var_dump($lock->lock('x'), $redis->cmd('EXISTS', 'lock:x'));
$redis->cmd('SELECT', 3);
var_dump($redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
bool(true)
int(0)
int(1)
