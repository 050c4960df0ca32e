--TEST--
A server that does not answer is given up after read_timeout, also when a wait was longer
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
$queue = new RedisQueue($server->dsn(), ['connect_timeout' => slow(0.2), 'read_timeout' => slow(0.2)]);
$queue->enqueue('x', 'a');
$server->pause();
foreach (['stats' => [], 'pop' => [], 'enqueue' => ['b']] as $method => $args) {
    took_between($method, seconds(function () use ($queue, $method, $args) {
        echo outcome(fn () => $queue->$method('x', ...$args)), "\n";
    }), 0.15, 0.6);
}
$server->resume();
wait_until(fn () => $server->client()->cmd('PING') === 'PONG');

// In the middle of a wait: a pop that was not answered may have taken something, and that is told.
$worker = QueueWorker::start($server->dsn(), ['connect_timeout' => slow(0.2), 'read_timeout' => slow(0.2)]);
(new RedisQueue($server->dsn()))->requeue('x');
$server->client()->cmd('DEL', 'queue:x');
let_wait($server->client(), [$worker], 'pop', 'x', 1, slow(10));
$server->pause();
$answer = $worker->answer();
echo strtok($answer['error'], ':'), "\n";
$server->resume();
?>
--EXPECT--
RedisQueueConnectionException
stats: yes
RedisQueueConnectionException
pop: yes
RedisQueueConnectionException
enqueue: yes
RedisQueueConnectionException
