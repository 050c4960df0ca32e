--TEST--
The worker that docs/queue.md shows in both languages does its task, and ends by SIGTERM with PHP's default signals
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/blocks.inc';

$server = RedisServer::start();
$queue = new RedisQueue($server->dsn());
foreach (['docs/queue.md', 'docs/zh-CN/queue.md'] as $page) {
    $workers = array_values(array_filter(php_blocks($page), fn ($block) => str_contains($block, 'pcntl_signal(SIGTERM')));
    echo "$page: ", count($workers), " worker\n";
    $queue->enqueue('unpaid', 1001);
    $worker = Worker::start(
        strtr($workers[0], ["'redis://127.0.0.1:6379'" => "'env:REDISLOCK_SERVER'", 'timeout: 5' => 'timeout: 0.5']),
        [],
        ['REDISLOCK_SERVER' => $server->dsn()],
    );
    is_so('it does its task', wait_until(fn () => array_sum($queue->stats('unpaid')) === 0));
    is_so('it waits for the next', wait_until(fn () => str_contains($server->client()->cmd('CLIENT', 'LIST'), 'cmd=blpop')));
    $worker->signal('TERM');
    echo $worker->output(), 'ended with ', $worker->wait(), "\n";
}
?>
--EXPECT--
docs/queue.md: 1 worker
it does its task: yes
it waits for the next: yes
ended with 0
docs/zh-CN/queue.md: 1 worker
it does its task: yes
it waits for the next: yes
ended with 0
