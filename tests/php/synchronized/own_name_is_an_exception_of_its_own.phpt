--TEST--
Inside of a section the same name again: a RedisLockHeldException at once, which is no RedisLockTimeoutException: to try again helps nobody
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

$lock->synchronized('x', function () use ($lock) {
    took_between('seconds', seconds(function () use ($lock) {
        $e = thrown(fn () => $lock->synchronized('x', fn () => print("inner section ran\n"), timeout: 5));
        var_dump($e instanceof RedisLockException, $e instanceof RedisLockTimeoutException, $e->lockName);
    }), 0, 0.5);
    var_dump($lock->isLocking('x'));
});
var_dump($lock->held());
?>
--EXPECTF--
RedisLockHeldException: %s: this object holds the lock already (lock "x")
bool(true)
bool(false)
string(1) "x"
seconds: yes
bool(true)
array(0) {
}
