--TEST--
exit in the function ends the script as everywhere, and shutdown functions run
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

    register_shutdown_function(function () use (&$lock) {
        echo "a shutdown function\n";
        $lock->lock('y');
        thrown(fn () => compute(lease(1.2)));
        var_dump($lock->unlock('x'));
    });
    $lock = new RedisLock($argv[1], ['expire' => lease(1.2), 'renew' => true, 'on_loss' => function () {
        echo "told\n";
        exit(7);
    }]);
    $lock->lock('x');
    $lock->lock('z');
    (new RedisLock($argv[1]))->forceUnlock('x');
    echo compute(LONG);
    PHP, [$server->dsn()]);
echo "$run->status\n$run->out\n";
print_r(all_keys($redis));
?>
--EXPECT--
7
told
a shutdown function
nothing thrown, returned 'computed to the end'
bool(false)

Array
(
)
