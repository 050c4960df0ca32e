--TEST--
A wait ends after its timeout also where the server stands still, and takes nothing when it goes on
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
$worker = QueueWorker::start($server->dsn(), ['connect_timeout' => slow(2), 'read_timeout' => slow(2)]);
$queue = new RedisQueue($server->dsn());

foreach (['reserve' => [30, slow(0.6)], 'pop' => [slow(0.6)]] as $method => $args) {
    $queue->enqueue('x', $method, afterInterval: slow(0.4));
    $began = microtime(true);
    let_wait($redis, [$worker], $method, 'x', 1, ...$args);
    $server->pause();
    $answer = $worker->answer();
    // The deadline, and far from another read_timeout. Here others may be at work.
    took_between("$method ends in time", $answer['ended'] - $began, slow(0.6), slow(0.6) + slow(1.2));
    echo $answer['error'] ?? var_export($answer['result'], true), "\n";
    $server->resume();
    wait_until(fn () => counts($queue, 'x') === '1 due');
    $task = $queue->reserve('x');
    echo $task['id'], ', attempt ', $task['attempts'], "\n";
    $queue->ack('x', $task['id'], $task['receipt']);
}
?>
--EXPECTF--
reserve ends in time: yes
false
reserve, attempt 1
pop ends in time: yes
RedisQueueConnectionException: %s: no answer in time (queue "x")
pop, attempt 1
