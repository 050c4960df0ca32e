--TEST--
An id that is enqueued anew while a worker does what it found by top() is not removed by its dequeue()
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

$queue->enqueue('x', 'order');
$seen = $queue->top('x');
$queue->enqueue('x', 'order'); // while it is worked on
var_dump($queue->dequeue('x', 'order', $seen['score']));
echo counts($queue, 'x'), "\n";
$seen = $queue->top('x');
var_dump($queue->dequeue('x', 'order', $seen['score']), $queue->dequeue('x', 'never', 1.5));
echo counts($queue, 'x'), "\n";

// One that a worker has reserved is not there to be removed; what was enqueued meanwhile is.
$queue->enqueue('x', 'order');
$seen = $queue->top('x');
$task = $queue->reserve('x');
var_dump($queue->dequeue('x', 'order', $seen['score']));
$queue->enqueue('x', 'order');
echo counts($queue, 'x'), "\n";
$again = (float) $server->client()->cmd('ZSCORE', '{queue:x}:rq:again', 'order');
var_dump($queue->dequeue('x', 'order', $again), $queue->ack('x', 'order', $task['receipt']));
echo counts($queue, 'x'), "\n";
?>
--EXPECT--
bool(false)
1 due
bool(true)
bool(false)
nothing
bool(false)
1 delayed, 1 reserved
bool(true)
bool(true)
nothing
