--TEST--
A fork in a finally, while a notice waits for its end: only the parent is told
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    $pid = 0;
    try {
        try {
            compute(0.01);
        } finally {
            take_away($redis, 'x');
            compute_until(fn () => $lock->lost('x'));
            compute(0.05);
            $pid = pcntl_fork();
        }
        if ($pid === 0) {
            echo 'child: ';
            thrown(fn () => compute(0.5));
            exit;
        }
        return compute(LONG);
    } finally {
        pcntl_waitpid($pid, $status);
    }
});
?>
--EXPECTF--
child: nothing thrown, returned 'computed to the end'
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
