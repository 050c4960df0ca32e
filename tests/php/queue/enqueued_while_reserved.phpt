--TEST--
An id that is enqueued while a worker has it is delivered again after the ack, never at the same time
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 2]);

$queue->enqueue('x', 'a');
$task = $queue->reserve('x');
$queue->enqueue('x', 'a');
$queue->enqueue('x', ['a', 'b']);
var_dump($queue->enqueue('x', 'a', replace: false));
echo ids($queue->pop('x', 10)), '; ', counts($queue, 'x'), "\n";
var_dump($queue->ack('x', 'a', $task['receipt']));
$task = $queue->reserve('x');
echo $task['id'], ', attempt ', $task['attempts'], "\n";

// The same when the worker gives it back, or does not come back: it enters once, as it was enqueued last.
$queue->enqueue('x', 'a', afterInterval: 50);
$queue->release('x', 'a', $task['receipt']);
echo counts($queue, 'x'), "\n";
$queue->enqueue('x', 'a');
$task = $queue->reserve('x', visibility: 0.01);
$queue->enqueue('x', 'a', afterInterval: 50);
usleep(20000);
var_dump($queue->pop('x'), $queue->ack('x', 'a', $task['receipt']));
echo counts($queue, 'x'), "\n";
?>
--EXPECT--
bool(false)
'b'; 1 delayed, 1 reserved
bool(true)
a, attempt 1
1 delayed
bool(false)
bool(false)
1 delayed
