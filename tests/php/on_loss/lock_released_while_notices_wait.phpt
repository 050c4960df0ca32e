--TEST--
Notices that a finally holds back come after it, also if a lock of which another notice tells is released in it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'on_loss' => 'throw']);
$names = ['a', 'b', 'c'];
foreach ($names as $released) {
    thrown(function () use ($lock, $names, $released) {
        try {
            $lock->lockAll($names);
        } finally {
            compute_until(fn () => array_filter($names, fn ($name) => !$lock->lost($name)) === []);
            compute(0.05); // all notices are there, and have been put off
            $lock->unlock($released);
            compute(0.05);
        }
        compute(LONG);
    });
    $lock->unlockAll();
}
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "%c")
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "%c")
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "%c")
