--TEST--
Inside of a section the same name again: a RedisLockTimeoutException that says who holds it, at once
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
        is_so('says that it is this object', (bool) preg_match('/this object|already/i', $e->getMessage()));
    }), 0, 0.5);
    var_dump($lock->isLocking('x'));
});
var_dump($lock->held());
?>
--EXPECTF--
RedisLockTimeoutException: %s
says that it is this object: yes
seconds: yes
bool(true)
array(0) {
}
