--TEST--
The release's reply was lost and another took the lock meanwhile: true, and the other's lock is left alone
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn());
$lock->lock('x');
$redis->cmd('SET', 'lock:x', 'theirs'); // stands for: the first release ran, then another came

$wire->loseRequest('EVALSHA');
var_dump($lock->unlock('x'));
var_dump($redis->cmd('GET', 'lock:x'));
?>
--EXPECT--
bool(true)
string(6) "theirs"
