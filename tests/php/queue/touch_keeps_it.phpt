--TEST--
touch() keeps a task reserved for as long as it says from then on, also for less
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

$queue->enqueue('x', 'a');
$task = $queue->reserve('x', visibility: slow(0.2));
var_dump($queue->touch('x', 'a', $task['receipt'], 100));
usleep((int) slow(250000));
var_dump($queue->reserve('x'), $queue->touch('x', 'a', $task['receipt'], 0.01));
var_dump($queue->reserve('x', timeout: 10)['attempts'], $queue->touch('x', 'a', $task['receipt'], 100));
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
int(2)
bool(false)
