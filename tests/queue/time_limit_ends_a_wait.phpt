--TEST--
A signal handler uses up the time limit during a wait: PHP's fatal error ends it, and nothing is left
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
    $queue = new RedisQueue($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () {
        // PHP blocks all signals in a handler, its own timer's too: the limit strikes when the handler is done.
        $used = fn () => ($r = getrusage())['ru_utime.tv_sec'] + $r['ru_utime.tv_usec'] / 1e6 + $r['ru_stime.tv_sec'] + $r['ru_stime.tv_usec'] / 1e6;
        for ($began = $used(); $used() < $began + 1.5;);
    });
    set_time_limit(1);
    $queue->pop('x', 1, 60);
    echo "NOT REACHED\n";
    PHP, [$server->dsn()]);
await_blocked($server->client(), 1, slow(10));
$worker->signal('USR1');
echo preg_replace('/ in .*/', '', trim($worker->output())), "\n";
show_what_is_left($server->client());
?>
--EXPECT--
Fatal error: Maximum execution time of 1 second exceeded
left: nothing
