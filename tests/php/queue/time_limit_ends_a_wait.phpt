--TEST--
The time limit strikes in a signal handler during a wait: PHP's fatal error ends it, and nothing is left
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$worker = Worker::start(<<<'PHP'
    require $argv[2];
    $queue = new RedisQueue($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, fn () => strike_time_limit());
    set_time_limit(1);
    $queue->pop('x', 1, 60);
    echo "NOT REACHED\n";
    PHP, [$server->dsn(), __DIR__ . '/../inc/check.inc']);
await_blocked($server->client(), 1, slow(10));
$worker->signal('USR1');
echo preg_replace('/ in .*/', '', trim($worker->output())), "\n";
show_what_is_left($server->client());
?>
--EXPECT--
Fatal error: Maximum execution time of 1 second exceeded
left: nothing
