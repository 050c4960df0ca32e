--TEST--
The exceptions have a tree of their own, and name the queue, the server and Redis' code
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

foreach (['', 'Connection', 'Server'] as $kind) {
    $class = new ReflectionClass("RedisQueue{$kind}Exception");
    echo $class->getName(), ' < ', $class->getParentClass()->getName(), "\n";
}
$e = new RedisQueueException('by hand', 5);
var_dump($e->getMessage(), $e->getCode(), $e->queueName, $e->server, $e->redisError, property_exists($e, 'lockName'));
thrown(function () use ($e) {
    $e->queueName = 'x';
});
$server = RedisServer::start();
$server->client()->cmd('SET', 'queue:x', 'no queue');
$e = thrown(fn () => (new RedisQueue($server->dsn()))->pop('x'));
var_dump($e->queueName, $e->server === $server->address(), $e->redisError);
$queue = new RedisQueue($server->dsn());
$server->kill();
foreach (['stats' => [], 'pop' => [], 'top' => [], 'reserve' => [], 'dead' => [], 'requeue' => [], 'enqueue' => [1], 'dequeue' => [1, 1.0],
    'ack' => [1, 'r'], 'release' => [1, 'r'], 'touch' => [1, 'r', 1]] as $method => $args) {
    echo $method, ': ', outcome(fn () => $queue->$method('x', ...$args)), "\n";
}
echo 'with a wait: ', outcome(fn () => $queue->pop('x', 1, 0.2)), "\n";
?>
--EXPECTF--
RedisQueueException < RuntimeException
RedisQueueConnectionException < RedisQueueException
RedisQueueServerException < RedisQueueException
string(7) "by hand"
int(5)
string(0) ""
string(0) ""
string(0) ""
bool(false)
Error: Cannot modify readonly property RedisQueueException::$queueName
RedisQueueServerException: unix://%s: WRONGTYPE %s (queue "x")
string(1) "x"
bool(true)
string(9) "WRONGTYPE"
stats: RedisQueueConnectionException
pop: RedisQueueConnectionException
top: RedisQueueConnectionException
reserve: RedisQueueConnectionException
dead: RedisQueueConnectionException
requeue: RedisQueueConnectionException
enqueue: RedisQueueConnectionException
dequeue: RedisQueueConnectionException
ack: RedisQueueConnectionException
release: RedisQueueConnectionException
touch: RedisQueueConnectionException
with a wait: RedisQueueConnectionException
