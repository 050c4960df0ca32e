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
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());

$e = thrown(fn () => $lock->synchronized('x', function () use ($lock) {
    $lock->unlock('x');
    return $lock->lock('x');
}));
var_dump($e->result, $lock->isLocking('x'));
?>
--EXPECTF--
RedisLockLostException: %s
bool(true)
bool(true)
