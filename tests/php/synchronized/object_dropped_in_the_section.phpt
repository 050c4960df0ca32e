--TEST--
The section drops the last reference to the object: it runs to its end and is released
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
$lock = new RedisLock($server->dsn());
$redis = $server->client();

var_dump($lock->synchronized('x', function () use (&$lock, $redis) {
    $lock = null;
    gc_collect_cycles();
    return $redis->cmd('EXISTS', 'lock:x');
}));
var_dump(all_keys($redis));
?>
--EXPECT--
int(1)
array(0) {
}
