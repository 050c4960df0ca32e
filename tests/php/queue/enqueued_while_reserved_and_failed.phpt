--TEST--
What is enqueued while a worker has the id: behind an ack a new task; if the worker fails, a new one only if it replaces
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

// One that has failed once before; then $enqueue() while it is reserved, and it is ended by $end().
$case = function (string $what, callable $enqueue, callable $end) use ($queue) {
    $queue->enqueue('x', 'a');
    $queue->release('x', 'a', $queue->reserve('x')['receipt']);
    $task = $queue->reserve('x', visibility: 0.02);
    $enqueue();
    $end($task['receipt']);
    $counts = counts($queue, 'x');
    $next = $queue->reserve('x');
    echo $what, ': ', $counts, $next ? ", attempt $next[attempts]" : '', "\n";
    if ($next) {
        $queue->ack('x', 'a', $next['receipt']);
    } else { // it is due later
        $queue->enqueue('x', 'a');
        $queue->pop('x');
    }
    echo counts($queue, 'x') === 'nothing' ? '' : "something is left\n";
};
$ends = [
    'ack' => fn ($receipt) => $queue->ack('x', 'a', $receipt),
    'release' => fn ($receipt) => $queue->release('x', 'a', $receipt),
    'does not come back' => function () use ($queue) {
        usleep(40000);
        $queue->top('x');
    },
];
$later = fn (bool $replace) => $queue->enqueue('x', 'a', afterInterval: 60, replace: $replace);
foreach ($ends as $how => $end) {
    $case("kept, $how", fn () => $later(false), $end);
    $case("replaced, $how", fn () => $later(true), $end);
    $case("replaced, then kept, $how", fn () => [$later(true), $later(false)], $end);
    $case("kept, then replaced, $how", fn () => [$later(false), $later(true)], $end);
}
?>
--EXPECT--
kept, ack: 1 delayed
replaced, ack: 1 delayed
replaced, then kept, ack: 1 delayed
kept, then replaced, ack: 1 delayed
kept, release: 1 due, attempt 3
replaced, release: 1 delayed
replaced, then kept, release: 1 delayed
kept, then replaced, release: 1 delayed
kept, does not come back: 1 due, attempt 3
replaced, does not come back: 1 delayed
replaced, then kept, does not come back: 1 delayed
kept, then replaced, does not come back: 1 delayed
