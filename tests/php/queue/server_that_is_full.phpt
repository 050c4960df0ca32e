--TEST--
A server without memory refuses what is enqueued; what is there can be worked off
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
$queue = new RedisQueue($server->dsn());
$queue->enqueue('x', ['a', 'b', 'c', 'd']);
$held = $queue->reserve('x');
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);

echo outcome(fn () => $queue->enqueue('x', 'e')), "\n";
echo $queue->pop('x')['id'], "\n";
$task = $queue->reserve('x');
echo $task['id'], ' ', var_export($queue->ack('x', $task['id'], $task['receipt']), true), "\n";
var_dump($queue->release('x', $held['id'], $held['receipt']));
echo ids($queue->pop('x', 10)), '; ', counts($queue, 'x'), "\n";
?>
--EXPECT--
RedisQueueServerException OOM
b
c true
bool(true)
'd' 'a'; nothing
