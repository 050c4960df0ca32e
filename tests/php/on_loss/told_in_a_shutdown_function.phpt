--TEST--
A lock that is taken in a shutdown function is told of there
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

    $lock = new RedisLock($argv[1], ['expire' => lease(0.9), 'on_loss' => 'throw']);
    register_shutdown_function(function () use ($lock) {
        try {
            $lock->lock('x');
            compute(LONG);
        } catch (RedisLockLostException $e) {
            echo get_class($e), "\n";
        }
    });
    PHP, [$server->dsn()]);
echo "$run->status\n$run->out";
?>
--EXPECT--
0
RedisLockLostException
