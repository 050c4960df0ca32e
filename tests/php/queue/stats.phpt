--TEST--
stats() counts what is due, delayed, reserved and dead
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 1]);

print_r($queue->stats('x'));
$queue->enqueue('x', range(1, 10));
$queue->enqueue('x', range(11, 13), afterInterval: 100);
$queue->reserve('x', 2);
$task = $queue->reserve('x');
$queue->release('x', $task['id'], $task['receipt']);
$queue->reserve('x', visibility: 0.01);
$queue->enqueue('x', 1); // a worker has it: it comes later
usleep(20000); // over: it is due, or dead, as soon as anybody asks for a task
print_r($queue->stats('x'));
?>
--EXPECT--
Array
(
    [due] => 0
    [delayed] => 0
    [reserved] => 0
    [dead] => 0
)
Array
(
    [due] => 7
    [delayed] => 4
    [reserved] => 2
    [dead] => 1
)
