--TEST--
unlockAll() releases what was attached too, and not what was detached
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
$lock->lock('kept', token: 'kept-1');
$lock->detach('kept');
$redis->cmd('SET', 'lock:adopted', 'job-1', 'PX', 10000);
var_dump($lock->attach('adopted', 'job-1'));

var_dump($lock->unlockAll());
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
Array
(
    [0] => lock:kept
)
