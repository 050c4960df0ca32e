--TEST--
auto_release true: the lock is released when the last reference goes
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
$second = $lock;
unset($lock);
var_dump($redis->cmd('EXISTS', 'lock:x'));
unset($second);
var_dump(all_keys($redis));

(function () use ($server) {
    $lock = new RedisLock($server->dsn());
    $lock->lock('y');
})();
var_dump(all_keys($redis));
?>
--EXPECT--
int(1)
array(0) {
}
array(0) {
}
