--TEST--
A password that was changed while we are connected goes on; a new connection is refused
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(password: 'before');
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['password' => 'before', 'persistent' => false]);
var_dump($lock->lock('x'));
$redis->cmd('CONFIG', 'SET', 'requirepass', 'after');
var_dump($lock->unlock('x'));
$other = new RedisLock($server->dsn(), ['password' => 'before', 'persistent' => false]);
echo outcome(fn () => $other->lock('x')), "\n";
?>
--EXPECT--
bool(true)
bool(true)
RedisLockConnectionException WRONGPASS
