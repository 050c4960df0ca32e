--TEST--
The option `database` where the DSN names none
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
$lock = new RedisLock($server->dsn(), ['database' => 7]);
$lock->lock('x');
$redis->cmd('SELECT', 7);
var_dump($redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
int(1)
