--TEST--
on_loss throw: the exception that nobody catches ends the script, and its locks are released
--DESCRIPTION--
Leaves memory to PHP's allocator.
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
$run = run_script(<<<'PHP'
    require INC;

    register_shutdown_function(function () {
        echo "a shutdown function\n";
    });
    $lock = new RedisLock($argv[1], ['expire' => lease(1.5), 'renew' => true, 'on_loss' => 'throw']);
    $lock->lock('x');
    $lock->lock('z');
    (new RedisLock($argv[1]))->forceUnlock('x');
    echo compute(LONG);
    PHP, [$server->dsn()]);
echo "$run->status\n$run->out\n";
print_r(all_keys($redis));
?>
--EXPECTF--
255
%AFatal error: Uncaught RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x") in %s:%d
Stack trace:
%A
a shutdown function

Array
(
)
