--TEST--
requeue() of all dead tasks lets a signal handler end it between two scripts
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 1, 'read_timeout' => 10.0]);
$queue->enqueue('x', range(1, 5000));
foreach ($queue->reserve('x', 5000) as $task) {
    $queue->release('x', $task['id'], $task['receipt']);
}

$wire = new Wire($server);
$worker = QueueWorker::start($wire->dsn(), setup: <<<'PHP'
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, fn () => throw new RuntimeException('stopped'));
    PHP);
$wire->delay(0.2);
$worker->begin('requeue', 'x');
wait_until(fn () => $queue->stats('x')['due'] > 0);
$worker->worker->signal('USR1');
echo $worker->answer()['error'], "\n";
['due' => $due, 'dead' => $dead] = $queue->stats('x');
is_so('whole scripts', $due % 1000 === 0 && $due + $dead === 5000, $due);
is_so('not all', $dead > 0);
?>
--EXPECT--
RuntimeException: stopped
whole scripts: yes
not all: yes
