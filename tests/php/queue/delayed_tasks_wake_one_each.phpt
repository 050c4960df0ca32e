--TEST--
Workers that wait for delayed tasks do not poll, and each task wakes one of them
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
$workers = QueueWorker::startMany(8, $server->dsn());
let_wait($redis, $workers, 'pop', 'x', 1, 20);

$before = request_calls($redis);
for ($i = 1; $i <= 8; $i++) {
    $queue->enqueue('x', $i, afterInterval: 0.4 + $i / 20);
}
foreach ($workers as $worker) {
    $answer = $worker->answer();
    $late[$answer['result']['id']] = $answer['ended'] - $answer['result']['score'];
}
ksort($late);
is_so('each got one', array_keys($late) === range(1, 8));
is_so('most on time', count(array_filter($late, fn ($seconds) => $seconds < slow(0.25))) >= 4, $late);
is_so('none early', min($late) >= 0);
// 8 times: enqueue; BLPOP, pop; BLPOP and pop of the next timekeeper. And looks, should the machine be slow.
is_between('requests', request_calls($redis) - $before, 24, slow(70));
?>
--EXPECT--
each got one: yes
most on time: yes
none early: yes
requests: yes
