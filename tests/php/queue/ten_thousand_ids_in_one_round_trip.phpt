--TEST--
10 000 ids are enqueued and taken in one round trip, by scripts of a thousand each
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
$queue = new RedisQueue($wire->dsn(), ['read_timeout' => 20.0]); // a busy machine may be late, but loses no answer
$ids = range(1, 10000);

$wire->delay(0.15); // each way: ten round trips would be 3 s, and connecting is none
$calls = [
    'enqueue' => fn () => $queue->enqueue('x', $ids),
    'enqueue anew' => fn () => $queue->enqueue('x', $ids),
    'reserve' => fn () => count($queue->reserve('x', 10000)) . ' in order',
];
foreach ($calls as $what => $call) {
    $wire->forget();
    $began = microtime(true);
    echo $what, ': ', var_export($call(), true), "\n";
    took_between('  one round trip', microtime(true) - $began, 0.3, 1.5);
    $scripts = array_filter($wire->requestArgs(), fn ($args) => str_starts_with($args[0], 'EVAL'));
    echo '  scripts: ', count($scripts), ', arguments at most: ', max(array_map('count', $scripts)), "\n";
}
?>
--EXPECT--
enqueue: true
  one round trip: yes
  scripts: 10, arguments at most: 1016
enqueue anew: true
  one round trip: yes
  scripts: 10, arguments at most: 1016
reserve: '10000 in order'
  one round trip: yes
  scripts: 10, arguments at most: 18
