--TEST--
Each call is one request and one round trip
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
$queue->enqueue('x', range(1, 3));
$reserved = $queue->reserve('x');
$reserved2 = $queue->reserve('x');
$queue->touch('x', $reserved['id'], $reserved['receipt'], 10); // the scripts are known by now
foreach (['stats' => ['x'], 'pop' => ['x'], 'dead' => ['x'], 'top' => ['x'], 'requeue' => ['x'], 'dequeue' => ['x', 'a', 1.0]] as $method => $args) {
    $queue->$method(...$args);
}

$calls = [
    'enqueue' => fn () => $queue->enqueue('x', ['a', 'b', 'c', 'd', 'e']),
    'enqueue, later' => fn () => $queue->enqueue('x', 'later', afterInterval: 5),
    'top' => fn () => $queue->top('x', 100),
    'dequeue' => fn () => $queue->dequeue('x', 'a', 1.0),
    'pop' => fn () => $queue->pop('x'),
    'pop, ready to wait' => fn () => $queue->pop('x', 1, 5),
    'reserve' => fn () => $queue->reserve('x', 2),
    'touch' => fn () => $queue->touch('x', $reserved['id'], $reserved['receipt'], 10),
    'ack' => fn () => $queue->ack('x', $reserved['id'], $reserved['receipt']),
    'release' => fn () => $queue->release('x', $reserved2['id'], $reserved2['receipt']),
    'stats' => fn () => $queue->stats('x'),
    'dead' => fn () => $queue->dead('x'),
    'requeue' => fn () => $queue->requeue('x'),
];
foreach ($calls as $what => $call) {
    $wire->forget();
    $call();
    echo str_pad($what, 20), implode(' ', $wire->requests()), ', ', $wire->roundTrips(), ', connections ', $wire->connections(), "\n";
}
?>
--EXPECT--
enqueue             EVALSHA, 1, connections 0
enqueue, later      EVALSHA, 1, connections 0
top                 EVALSHA, 1, connections 0
dequeue             EVALSHA, 1, connections 0
pop                 EVALSHA, 1, connections 0
pop, ready to wait  EVALSHA, 1, connections 0
reserve             EVALSHA, 1, connections 0
touch               EVALSHA, 1, connections 0
ack                 EVALSHA, 1, connections 0
release             EVALSHA, 1, connections 0
stats               EVALSHA, 1, connections 0
dead                EVALSHA, 1, connections 0
requeue             EVALSHA, 1, connections 0
