--TEST--
When the worker is killed that watches the time for all, another one takes over
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

$queue->enqueue('x', 'a', afterInterval: 1.0);
let_wait($redis, array_slice($workers, 0, 1), 'pop', 'x', 1, 20);
let_wait($redis, array_slice($workers, 1), 'pop', 'x', 1, 20);
$workers[0]->worker->signal('KILL');
await_blocked($redis, 2);

// Any call that sees that nobody watches any more wakes another; else it takes the others up to 3 s.
usleep(1200000);
$queue->enqueue('x', 'b', afterInterval: 0.2);
foreach ([1, 2] as $i) {
    $answer = $workers[$i]->answer();
    $late[$answer['result']['id']] = $answer['ended'] - $answer['result']['score'];
}
ksort($late);
foreach ($late as $id => $seconds) {
    took_between($id, $seconds, 0, 2);
}
?>
--EXPECT--
a: yes
b: yes
