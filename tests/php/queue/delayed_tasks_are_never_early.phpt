--TEST--
Delayed tasks are delivered when they are due, not before, and in that order
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

$delays = [0.9, 0.3, 0.6, 0.45, 0.303, 0.75];
foreach ($delays as $i => $delay) {
    $delay = slow($delay);
    $due[$i] = microtime(true) + $delay; // the server has the same clock
    $queue->enqueue('x', $i, afterInterval: $delay);
}
echo counts($queue, 'x'), ', ', ids($queue->pop('x', 10)), ids($queue->top('x', 10)), "\n";
$early = 0;
$order = [];
while ($task = $queue->pop('x', timeout: slow(1.0))) {
    $early += microtime(true) < $due[$task['id']] || microtime(true) < $task['score'] ? 1 : 0;
    $order[] = $task['id'];
}
echo implode(' ', $order), "; early: $early\n";
?>
--EXPECT--
6 delayed, 
1 4 3 2 5 0; early: 0
