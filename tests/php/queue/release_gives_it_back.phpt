--TEST--
release() gives a task back, at once or after a delay
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
$task = $queue->reserve('x');
var_dump($queue->release('x', 'a', $task['receipt']));
$task = $queue->reserve('x');
echo 'attempt ', $task['attempts'], "\n";
var_dump($queue->release('x', 'a', $task['receipt'], 0.2), $queue->reserve('x'));
echo counts($queue, 'x'), "\n";
$began = microtime(true);
echo 'attempt ', $queue->reserve('x', timeout: 10)['attempts'], "\n";
is_so('after the delay', microtime(true) - $began > 0.15);
?>
--EXPECT--
bool(true)
attempt 2
bool(true)
bool(false)
1 delayed
attempt 3
after the delay: yes
