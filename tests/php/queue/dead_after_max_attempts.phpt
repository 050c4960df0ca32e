--TEST--
A task that was tried max_attempts times is dead: it can be read and requeued
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 2]);
var_dump($queue->dead('x'), $queue->requeue('x'), $queue->requeue('x', 'a'));

$queue->enqueue('x', ['given back', 'not acknowledged', 3]);
foreach ([1, 2] as $attempt) {
    foreach ($queue->reserve('x', 3, visibility: 0.01) as $task) {
        if ($task['id'] === 'given back') {
            $queue->release('x', $task['id'], $task['receipt']);
        }
    }
    usleep(20000);
}
echo ids($queue->reserve('x', 10)), '; ', counts($queue, 'x'), "\n";
foreach ($queue->dead('x') as $task) {
    $keys = implode(' ', array_keys($task));
    echo var_export($task['id'], true), ' attempts ', $task['attempts'], ' ', abs($task['died'] - server_now($redis)) < 5 ? $keys : $task['died'], "\n";
}
echo ids($queue->dead('x', 1)), "\n";

var_dump($queue->requeue('x', ['given back', 'unknown', 'given back']));
$task = $queue->reserve('x');
echo $task['id'], ', attempt ', $task['attempts'], "\n";
$queue->ack('x', $task['id'], $task['receipt']);

// A new enqueue of a dead one is a new task, too.
$queue->enqueue('x', '3');
echo counts($queue, 'x'), '; attempt ', $queue->reserve('x')['attempts'], "\n";
var_dump($queue->requeue('x'));
echo counts($queue, 'x'), "\n";

// 0: no limit.
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 0]);
for ($i = 0; $i < 20; $i++) {
    $task = $queue->reserve('x');
    $queue->release('x', $task['id'], $task['receipt']);
}
echo 'attempt ', $task['attempts'], "\n";
?>
--EXPECT--
array(0) {
}
int(0)
int(0)
; 3 dead
'given back' attempts 2 id attempts died
3 attempts 2 id attempts died
'not acknowledged' attempts 2 id attempts died
'given back'
int(1)
given back, attempt 1
1 due, 1 dead; attempt 1
int(1)
1 due, 1 reserved
attempt 20
