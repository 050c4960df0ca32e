--TEST--
synchronized(): the section is broken off, and the exception reaches the caller
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
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'renew' => true, 'on_loss' => 'throw']);
$other = new RedisLock($server->dsn());
thrown(fn () => $lock->synchronized('x', function () use ($redis, $other) {
    take_away($redis, 'x');
    $other->lock('x');
    try {
        compute(LONG);
        echo "NOT BROKEN OFF\n";
    } finally {
        echo "the section is left\n";
    }
}));
var_dump($lock->held(), $lock->lost('x'), $other->isLocking('x'));
$other->unlock('x');
thrown(fn () => $lock->synchronized('x', fn () => 'another section'));
?>
--EXPECTF--
the section is left
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
array(0) {
}
bool(false)
bool(true)
nothing thrown, returned 'another section'
