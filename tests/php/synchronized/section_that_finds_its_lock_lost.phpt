--TEST--
A section whose own unlock() says that the lock was lost: synchronized() says so too
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
$lock = new RedisLock($server->dsn());

$e = thrown(fn () => $lock->synchronized('x', function () use ($lock, $redis) {
    $redis->cmd('SET', 'lock:x', 'theirs'); // the lease ended and another took it
    var_dump($lock->unlock('x'));
    return 'unprotected';
}));
var_dump($e?->result);
?>
--EXPECTF--
bool(false)
RedisLockLostException: %s
string(11) "unprotected"
