--TEST--
A section that releases its lock and takes the name anew: the new lock is not released in its place
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

var_dump($lock->synchronized('x', function () use ($lock) {
    $lock->unlock('x');
    return $lock->lock('x');
}));
var_dump($lock->isLocking('x'));
?>
--EXPECT--
bool(true)
bool(true)
