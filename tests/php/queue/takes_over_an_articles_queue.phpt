--TEST--
A queue that a hand-written class has filled is taken over as it is
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
$redis = $server->client();
$queue = new RedisQueue($server->dsn(), ['prefix' => 'Queue:']);

// What the class does: ZADD Queue:name microtime(true) + afterInterval id, where id does not stand yet.
$now = server_now($redis);
foreach (['first' => -2, 17 => -1.5, 'later' => 100] as $id => $after) {
    $redis->cmd('ZADD', 'Queue:orders', var_export($now + $after, true), $id);
}
echo ids($queue->top('orders', 10)), "\n";
$task = $queue->reserve('orders');
echo $task['id'], ' ', $task['attempts'], ' ', $task['score'] === $now - 2 ? 'its score' : $task['score'], "\n";
$queue->ack('orders', $task['id'], $task['receipt']);
echo ids($queue->pop('orders', 10)), "\n";
echo counts($queue, 'orders'), "\n";

// And it goes on beside ours: an id that it enters while a worker of ours has it is delivered afterwards.
$queue->enqueue('orders', 'both');
$task = $queue->reserve('orders');
$redis->cmd('ZADD', 'Queue:orders', 0, 'both', 1, 'other');
echo ids($queue->pop('orders', 10)), "\n";
$queue->ack('orders', 'both', $task['receipt']);
echo ids($queue->pop('orders', 10)), "\n";
?>
--EXPECT--
'first' 17
first 1 its score
17
1 delayed
'other'
'both'
