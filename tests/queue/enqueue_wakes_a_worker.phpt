--TEST--
A worker that waits has a task as soon as it is enqueued, or comes due
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
$queue = new RedisQueue($server->dsn());
$worker = QueueWorker::start($server->dsn());

foreach (['pop' => [1, 20], 'reserve' => [1, 30, INF]] as $method => $args) {
    foreach ([0, 0.3] as $delay) {
        let_wait($redis, [$worker], $method, 'x', ...$args);
        $queue->enqueue('x', 'a', afterInterval: $delay);
        $answer = $worker->answer();
        echo $method, ': ', $answer['error'] ?? $answer['result']['id'], "\n";
        is_between('  late', $answer['ended'] - $answer['result']['score'], 0, slow(0.5));
        if ($method === 'reserve') {
            $queue->ack('x', 'a', $answer['result']['receipt']);
        }
    }
}
?>
--EXPECT--
pop: a
  late: yes
pop: a
  late: yes
reserve: a
  late: yes
reserve: a
  late: yes
