--TEST--
A memory limit that is exceeded in the function ends the script as everywhere
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
    $lock = new RedisLock($argv[1], ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function () {
    PHP . EXCEED_MEMORY_LIMIT . <<<'PHP'
    }]);
    $lock->lock('x');
    (new RedisLock($argv[1]))->forceUnlock('x');
    echo compute(LONG);
    PHP, [$server->dsn()], ['-d', 'memory_limit=16M']);
echo "$run->status\n$run->out\n";
?>
--EXPECTF--
255
%A
Fatal error: %a
a shutdown function
