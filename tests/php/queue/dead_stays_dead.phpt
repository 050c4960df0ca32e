--TEST--
A dead task stays dead until it is replaced or requeued, whatever else enters its id
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 2]);

/** Lets the only task that is due fail until it is dead or not due any more. Returns how often that was. */
function fail(RedisQueue $queue, ?callable $meanwhile = null): int
{
    for ($runs = 0; $runs < 10 && $task = $queue->reserve('x'); $runs++) {
        $meanwhile && $meanwhile();
        $queue->release('x', $task['id'], $task['receipt']);
    }
    return $runs;
}

// A job that enters what is missing finds it in the queue already, as often as it comes.
$queue->enqueue('x', 'bad');
echo fail($queue), ' runs; ', counts($queue, 'x'), "\n";
$died = $queue->dead('x');
var_dump($queue->enqueue('x', 'bad', replace: false), $queue->enqueue('x', ['bad', 'bad'], 10, 60, false));
echo fail($queue), ' runs; ', counts($queue, 'x'), "\n";
var_dump($queue->dead('x') === $died);
// Among others, it stays out alone.
var_dump($queue->enqueue('x', ['new', 'bad'], replace: false));
echo ids($queue->pop('x', 10)), '; ', counts($queue, 'x'), "\n";

// That job may also come while a worker has the task. The task that fails then is still the same one.
$queue->enqueue('x', 'bad');
$repair = fn () => $queue->enqueue('x', 'bad', replace: false);
echo fail($queue, $repair), ' runs; ', counts($queue, 'x'), "\n";
echo 'attempts: ', $queue->dead('x')[0]['attempts'], "\n";
// The same with workers that do not come back.
$queue->enqueue('x', 'bad');
for ($runs = 0; $runs < 10 && $queue->reserve('x', visibility: 0.01); $runs++) {
    $repair();
    usleep(20000);
}
echo $runs, ' runs; ', counts($queue, 'x'), "\n";

// Both of the words that start it anew. Also a dead one that is enqueued to come later is dead no more.
var_dump($queue->enqueue('x', 'bad', afterInterval: 60));
echo counts($queue, 'x'), "\n";
$queue->enqueue('x', 'bad');
echo fail($queue), ' runs; ', counts($queue, 'x'), "\n";
echo $queue->requeue('x'), ' requeued; ', fail($queue), ' runs; ', counts($queue, 'x'), "\n";

// A client that knows nothing of the dead may enter it: then it runs once more, and is not dead meanwhile.
$redis->cmd('ZADD', 'queue:x', 1, 'bad');
$task = $queue->reserve('x');
echo 'attempt ', $task['attempts'], '; ', counts($queue, 'x'), "\n";
$queue->release('x', 'bad', $task['receipt']);
echo counts($queue, 'x'), "\n";
$redis->cmd('ZADD', 'queue:x', 1, 'bad');
$task = $queue->reserve('x');
$queue->ack('x', 'bad', $task['receipt']);
echo counts($queue, 'x'), "\n";
?>
--EXPECT--
2 runs; 1 dead
bool(false)
bool(false)
0 runs; 1 dead
bool(true)
bool(true)
'new'; 1 dead
2 runs; 1 dead
attempts: 2
2 runs; 1 dead
bool(true)
1 delayed
2 runs; 1 dead
1 requeued; 2 runs; 1 dead
attempt 3; 1 reserved
1 dead
nothing
