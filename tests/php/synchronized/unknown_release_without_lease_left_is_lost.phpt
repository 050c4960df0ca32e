--TEST--
The outcome of the release is unknown, and the lease was over when the section ended: lost
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

$e = thrown(fn () => $lock->synchronized('x', function () use ($server, $lock) {
    $server->pause();
    wait_until(fn () => $lock->remaining('x') === 0.0);
    return 'late';
}, expire: slow(0.1)));
var_dump($e->result);
$server->resume();
?>
--EXPECTF--
RedisLockLostException: %s
string(4) "late"
