--TEST--
Signal handlers run during a wait, may use the queue, and the wait goes on
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
$queue = new RedisQueue($server->dsn());

pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use ($queue) {
    echo "handler\n";
    $queue->enqueue('x', 'from the handler');
});
pcntl_alarm(1);
echo $queue->pop('x', timeout: 20)['id'], "\n";

// It may drop the last reference to the queue that waits.
$own = new RedisQueue($server->dsn(), ['persistent' => false]);
pcntl_signal(SIGALRM, function () use (&$own, $queue) {
    $own = null;
    $queue->enqueue('x', 'after it is gone');
});
pcntl_alarm(1);
echo $own->pop('x', timeout: 20)['id'], "\n";
?>
--EXPECT--
handler
from the handler
after it is gone
