--TEST--
When an answer is lost: what is safe to repeat is repeated, else the exception says that nobody knows
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
$redis = $server->client();
$all = fn () => counts(new RedisQueue($server->dsn()), 'x');

foreach (['loseRequest', 'loseReply'] as $fault) {
    echo "$fault\n";
    $redis->cmd('FLUSHALL');
    $queue->stats('x');
    $wire->$fault('EVALSHA');
    echo 'enqueue: ', outcome(fn () => $queue->enqueue('x', ['a', 'b', 'c', 'd'])), ', ', $all(), "\n";
    $score = $queue->top('x')['score'];
    $wire->$fault('EVALSHA');
    echo 'dequeue: ', outcome(fn () => $queue->dequeue('x', 'a', $score)), ', ', $all(), "\n";
    $wire->$fault('EVALSHA');
    echo 'pop: ', outcome(fn () => $queue->pop('x')['id']), ', ', $all(), "\n";
    $wire->$fault('EVALSHA');
    echo 'reserve: ', outcome(fn () => ($GLOBALS['task'] = $queue->reserve('x'))['id']), ', ', $all(), "\n";
    $wire->$fault('EVALSHA');
    echo 'touch: ', outcome(fn () => $queue->touch('x', $task['id'], $task['receipt'], 20)), ', ', $all(), "\n";
    $wire->$fault('EVALSHA');
    echo 'ack: ', outcome(fn () => $queue->ack('x', $task['id'], $task['receipt'])), ', ', $all(), "\n";
    $wire->$fault('EVALSHA');
    echo 'stats: ', outcome(fn () => array_sum($queue->stats('x'))), "\n";
    $wire->$fault('EVALSHA');
    echo 'requeue: ', outcome(fn () => $queue->requeue('x')), "\n";
}
?>
--EXPECT--
loseRequest
enqueue: true, 4 due
dequeue: true, 3 due
pop: RedisQueueConnectionException, 3 due
reserve: 'b', 2 due, 1 reserved
touch: true, 2 due, 1 reserved
ack: true, 2 due
stats: 2
requeue: RedisQueueConnectionException
loseReply
enqueue: true, 4 due
dequeue: RedisQueueConnectionException, 3 due
pop: RedisQueueConnectionException, 2 due
reserve: 'd', 2 reserved
touch: true, 2 reserved
ack: RedisQueueConnectionException, 1 reserved
stats: 1
requeue: RedisQueueConnectionException
