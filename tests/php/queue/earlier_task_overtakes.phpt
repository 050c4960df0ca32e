--TEST--
A task that comes due before what the workers wait for is delivered when it is due
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
$workers = QueueWorker::startMany(3, $server->dsn());

$queue->enqueue('x', 'late', afterInterval: 2.5);
let_wait($redis, $workers, 'pop', 'x', 1, 20);
$queue->enqueue('x', 'sooner', afterInterval: 0.5);
$queue->enqueue('x', 'soon', afterInterval: 0.2);
foreach ($workers as $worker) {
    $answer = $worker->answer();
    $late[$answer['result']['id']] = $answer['ended'] - $answer['result']['score'];
}
ksort($late);
foreach ($late as $id => $seconds) {
    took_between($id, $seconds, 0, 1.5);
}
?>
--EXPECT--
late: yes
soon: yes
sooner: yes
