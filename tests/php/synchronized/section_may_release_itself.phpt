--TEST--
A section that releases its lock itself: what comes after it was unprotected, so it is lost
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
    var_dump($lock->unlock('x'));
    return 'after';
}));
var_dump($e->result, $lock->held(), all_keys($server->client()));
?>
--EXPECTF--
bool(true)
RedisLockLostException: %s
string(5) "after"
array(0) {
}
array(0) {
}
