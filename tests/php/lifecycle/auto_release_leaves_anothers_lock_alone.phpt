--TEST--
What was lost and is another's now is not released with the object
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
$redis->cmd('SET', 'lock:x', 'theirs');
unset($lock);
var_dump($redis->cmd('GET', 'lock:x'));
?>
--EXPECT--
string(6) "theirs"
