--TEST--
The same with a foreign client that took it
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
$redis->cmd('SET', 'lock:x', 'theirs', 'PX', 30000); // ours ended, theirs began
var_dump($lock->unlock('x'), $redis->cmd('GET', 'lock:x'));
?>
--EXPECT--
bool(false)
string(6) "theirs"
