--TEST--
A section longer than its lease: RedisLockLostException
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
    wait_until(fn () => $lock->owner('x') === null);
    return 'late';
}, expire: 1.0));
var_dump($e->result);
?>
--EXPECTF--
RedisLockLostException: %s
string(4) "late"
