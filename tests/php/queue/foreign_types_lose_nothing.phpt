--TEST--
A key of another type where the queue keeps something: an error, and no task is lost
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 1]);

foreach (['reserved', 'state', 'again', 'dead', 'wake', 'timer', 'keeper'] as $side) {
    $redis->cmd('FLUSHALL');
    $queue->enqueue('x', ['a', 'b', 'c']);
    $task = $queue->reserve('x');
    $key = "{queue:x}:rq:$side";
    $redis->cmd('EXISTS', $key) && $redis->cmd('RENAME', $key, 'aside');
    $side === 'keeper' ? $redis->cmd('RPUSH', $key, 'x') : $redis->cmd('SET', $key, 'x');
    $outcomes = [];
    foreach (['pop' => [], 'reserve' => [], 'enqueue' => ['d'], 'enqueue ' => ['a'], 'ack' => ['a', $task['receipt']], 'stats' => [], 'requeue' => []] as $method => $args) {
        $method = trim($method);
        $outcome = outcome(fn () => $queue->$method('x', ...$args));
        $outcomes[] = str_contains($outcome, 'RedisQueueServerException WRONGTYPE') ? 'WRONGTYPE' : (str_contains($outcome, 'Exception') ? $outcome : 'works');
    }
    $redis->cmd('DEL', $key);
    $redis->cmd('EXISTS', 'aside') && $redis->cmd('RENAME', 'aside', $key);
    echo str_pad("$side: ", 10), implode(' ', $outcomes), "\n";
    // What was popped and reserved meanwhile came; the rest must be there still.
    $taken = count(array_filter(array_slice($outcomes, 0, 2), fn ($outcome) => $outcome === 'works'));
    if ($queue->stats('x')['due'] + $queue->stats('x')['delayed'] < 2 - $taken) {
        echo 'LOST: ', counts($queue, 'x'), "\n";
    }
}
?>
--EXPECT--
reserved: WRONGTYPE WRONGTYPE works works WRONGTYPE WRONGTYPE works
state:    WRONGTYPE WRONGTYPE WRONGTYPE WRONGTYPE WRONGTYPE works works
again:    works works works WRONGTYPE WRONGTYPE WRONGTYPE works
dead:     works works works works works WRONGTYPE WRONGTYPE
wake:     works works WRONGTYPE works WRONGTYPE works works
timer:    works works works works works works works
keeper:   works works works works works works works
