--TEST--
A server that was demoted answers nothing: neither yes nor no
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
$queue->enqueue('x', ['a', 'b']);
$task = $queue->reserve('x');
$redis->cmd('REPLICAOF', '127.0.0.1', 1);

foreach (['stats' => [], 'pop' => [], 'top' => [], 'reserve' => [], 'dead' => [], 'requeue' => [], 'enqueue' => [1], 'dequeue' => [1, 1.0],
    'ack' => ['a', $task['receipt']], 'ack ' => ['a', 'another'], 'release' => ['a', $task['receipt']], 'touch' => ['a', $task['receipt'], 1]] as $method => $args) {
    $method = trim($method);
    echo $method, ': ', outcome(fn () => $queue->$method('x', ...$args)), "\n";
}
?>
--EXPECT--
stats: RedisQueueServerException READONLY
pop: RedisQueueServerException READONLY
top: RedisQueueServerException READONLY
reserve: RedisQueueServerException READONLY
dead: RedisQueueServerException READONLY
requeue: RedisQueueServerException READONLY
enqueue: RedisQueueServerException READONLY
dequeue: RedisQueueServerException READONLY
ack: RedisQueueServerException READONLY
ack: RedisQueueServerException READONLY
release: RedisQueueServerException READONLY
touch: RedisQueueServerException READONLY
