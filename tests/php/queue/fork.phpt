--TEST--
A child makes its own connection, and does not disturb its parent's wait
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
$redis = $server->client();
$queue = new RedisQueue($server->dsn());
$queue->stats('x');
$child = pcntl_fork();
if ($child === 0) {
    $queue->enqueue('x', 'from the child', afterInterval: 0.2);
    exit;
}
echo $queue->pop('x', timeout: 20)['id'], "\n";
pcntl_waitpid($child, $status);

// A handler that forks in the middle of the wait.
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use (&$forked) {
    $forked = pcntl_fork();
});
pcntl_alarm(1);
try {
    $task = $queue->pop('x', timeout: 20);
} catch (RedisQueueException $e) {
    file_put_contents($server->folder() . '/told', $e->getMessage()); // in the child
    (new RedisQueue($server->dsn()))->enqueue('x', 'from the other child');
    exit;
}
echo $task['id'], "\n";
pcntl_waitpid($forked, $status);
echo file_get_contents($server->folder() . '/told'), "\n";
?>
--EXPECT--
from the child
from the other child
a signal handler forked during this call; only the parent goes on with it
