--TEST--
Without $timeout and without the option, lock() does not wait
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

$server = RedisServer::start();
$redis = $server->client();
foreign_lock($redis, 'lock:x', 'theirs');
$lock = new RedisLock($server->dsn());

took_between('seconds', seconds(function () use ($lock) {
    var_dump($lock->lock('x'));
}), 0, 0.4);
?>
--EXPECT--
bool(false)
seconds: yes
