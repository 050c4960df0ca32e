--TEST--
A task that is enqueued anew has not been tried; with replace: false it is the old one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$queue = new RedisQueue($server->dsn());

foreach ([true, false] as $replace) {
    $queue->enqueue('x', 'a');
    $task = $queue->reserve('x');
    $queue->release('x', 'a', $task['receipt']);
    $queue->enqueue('x', 'a', replace: $replace);
    $task = $queue->reserve('x');
    echo 'attempt ', $task['attempts'], "\n";
    $queue->ack('x', 'a', $task['receipt']);
}
// pop() ends the count as well.
$queue->enqueue('x', 'a');
$queue->release('x', 'a', $queue->reserve('x')['receipt']);
$queue->pop('x');
$queue->enqueue('x', 'a');
echo 'attempt ', $queue->reserve('x')['attempts'], "\n";
?>
--EXPECT--
attempt 1
attempt 2
attempt 1
