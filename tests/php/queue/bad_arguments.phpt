--TEST--
A bad argument is refused before anything is sent, by its name
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
$wire = new Wire($server);
$queue = new RedisQueue($wire->dsn());
$calls = [
    fn () => $queue->enqueue('', 1), fn () => $queue->enqueue(str_repeat('x', 65536), 1), fn () => $queue->enqueue('x:rq:wake', 1),
    fn () => $queue->stats('x:rq:tag:dead'),
    fn () => $queue->enqueue('x', []), fn () => $queue->enqueue('x', ''), fn () => $queue->enqueue('x', ['a', '']),
    fn () => $queue->enqueue('x', [1, 2.0]), fn () => $queue->enqueue('x', [[1]]), fn () => $queue->enqueue('x', true),
    fn () => $queue->enqueue('x', null), fn () => $queue->enqueue('x', 1.5), fn () => $queue->enqueue('x', new ArrayObject()),
    fn () => $queue->enqueue('x', str_repeat('x', 65536)), fn () => $queue->enqueue('x', range(1, 10001)),
    fn () => $queue->enqueue('x', 1, -1), fn () => $queue->enqueue('x', 1, NAN), fn () => $queue->enqueue('x', 1, 1, -0.1),
    fn () => $queue->enqueue('x', 1, 1, INF), fn () => $queue->enqueue('x', 1, 1, NAN),
    fn () => $queue->dequeue('x', 1, NAN), fn () => $queue->dequeue('x', 1, INF), fn () => $queue->dequeue('x', [1], 1.0),
    fn () => $queue->pop('x', 0), fn () => $queue->pop('x', -1), fn () => $queue->pop('x', 10001), fn () => $queue->pop('x', PHP_INT_MAX),
    fn () => $queue->pop('x', 1, -1), fn () => $queue->top('x', 0), fn () => $queue->dead('x', 0),
    fn () => $queue->reserve('x', 1, 0), fn () => $queue->reserve('x', 1, 0.001), fn () => $queue->reserve('x', 1, INF),
    fn () => $queue->reserve('x', 1, 30, NAN),
    fn () => $queue->ack('x', 1, ''), fn () => $queue->ack('x', [1], 'r'), fn () => $queue->ack('x', 1, str_repeat('r', 65536)),
    fn () => $queue->release('x', 1, 'r', -1), fn () => $queue->touch('x', 1, 'r', 0),
    fn () => $queue->requeue('x', []), fn () => $queue->requeue('x', false),
];
foreach ($calls as $call) {
    thrown($call);
}
var_dump($wire->requests(), $wire->connections());
?>
--EXPECT--
ValueError: RedisQueue::enqueue(): Argument #1 ($name) must not be empty
ValueError: RedisQueue::enqueue(): Argument #1 ($name) must not be longer than 65535 bytes
ValueError: RedisQueue::enqueue(): Argument #1 ($name) must not end in ":rq:" and the name of a key beside a queue
ValueError: RedisQueue::stats(): Argument #1 ($name) must not end in ":rq:" and the name of a key beside a queue
ValueError: RedisQueue::enqueue(): Argument #2 ($id) must not be an empty list
ValueError: RedisQueue::enqueue(): Argument #2 ($id) must not be an empty id
ValueError: RedisQueue::enqueue(): Argument #2 ($id) must not be an empty id
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be a list of int and string, float given
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be a list of int and string, array given
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be of type string|int|array, bool given
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be of type string|int|array, null given
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be of type string|int|array, float given
TypeError: RedisQueue::enqueue(): Argument #2 ($id) must be of type string|int|array, ArrayObject given
ValueError: RedisQueue::enqueue(): Argument #2 ($id) must not be an id longer than 65535 bytes
ValueError: RedisQueue::enqueue(): Argument #2 ($id) must not have more than 10000 ids
ValueError: RedisQueue::enqueue(): Argument #3 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisQueue::enqueue(): Argument #3 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisQueue::enqueue(): Argument #4 ($afterInterval) must be between 0 and 1000000000 seconds
ValueError: RedisQueue::enqueue(): Argument #4 ($afterInterval) must be between 0 and 1000000000 seconds
ValueError: RedisQueue::enqueue(): Argument #4 ($afterInterval) must be between 0 and 1000000000 seconds
ValueError: RedisQueue::dequeue(): Argument #3 ($score) must be a finite number
ValueError: RedisQueue::dequeue(): Argument #3 ($score) must be a finite number
TypeError: RedisQueue::dequeue(): Argument #2 ($id) must be of type string|int, array given
ValueError: RedisQueue::pop(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::pop(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::pop(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::pop(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::pop(): Argument #3 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisQueue::top(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::dead(): Argument #2 ($count) must be between 1 and 10000
ValueError: RedisQueue::reserve(): Argument #3 ($visibility) must be between 0.01 and 1000000000 seconds
ValueError: RedisQueue::reserve(): Argument #3 ($visibility) must be between 0.01 and 1000000000 seconds
ValueError: RedisQueue::reserve(): Argument #3 ($visibility) must be between 0.01 and 1000000000 seconds
ValueError: RedisQueue::reserve(): Argument #4 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisQueue::ack(): Argument #3 ($receipt) must not be empty
TypeError: RedisQueue::ack(): Argument #2 ($id) must be of type string|int, array given
ValueError: RedisQueue::ack(): Argument #3 ($receipt) must not be longer than 65535 bytes
ValueError: RedisQueue::release(): Argument #4 ($delay) must be between 0 and 1000000000 seconds
ValueError: RedisQueue::touch(): Argument #4 ($visibility) must be between 0.01 and 1000000000 seconds
ValueError: RedisQueue::requeue(): Argument #2 ($id) must not be an empty list
TypeError: RedisQueue::requeue(): Argument #2 ($id) must be of type string|int|array|null, bool given
array(0) {
}
int(0)
