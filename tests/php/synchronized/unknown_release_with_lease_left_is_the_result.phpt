--TEST--
The outcome of the release is unknown, and the lease still ran when the section ended: the result, and a warning
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
$lock = new RedisLock($server->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);

var_dump($lock->synchronized('x', function () use ($server) {
    $server->pause();
    return 'done';
}));
$server->resume();
?>
--EXPECTF--
Warning: RedisLock::synchronized(): RedisLock could not release a lock; Redis may keep it for another %f s: unix://%s: no answer in time (lock "x") in %s on line %d
string(4) "done"
