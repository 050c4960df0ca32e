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
    foreach ([0, 0.1] as $delay) {
        for ($try = 0, $late = []; $try < 3; $try++) {
            let_wait($redis, [$worker], $method, 'x', ...$args);
            $queue->enqueue('x', 'a', afterInterval: $delay);
            $answer = $worker->answer();
            $late[] = $answer['ended'] - $answer['result']['score'];
            if ($method === 'reserve') {
                $queue->ack('x', 'a', $answer['result']['receipt']);
            }
        }
        echo $method, ': ', $answer['error'] ?? $answer['result']['id'], "\n";
        took_between('  late', min($late), 0, 0.3); // who is not woken looks after a second
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
