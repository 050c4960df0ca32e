--TEST--
One task wakes one worker of those that wait; a list wakes as many as it has tasks
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
for ($i = 1; $i <= 4; $i++) {
    $queue->enqueue('x', $i);
    await_blocked($redis, 8 - $i);
    wait_until(fn () => $redis->cmd('ZCARD', 'queue:x') === 0);
}
// An enqueue and a pop each; one of the four may have been the timekeeper, and another then takes that over. Who has
// waited for seconds has looked once.
is_between('requests', request_calls($redis) - $before, 8, slow(24));

$queue->enqueue('x', range(5, 8));
foreach ($workers as $worker) {
    $ids[] = $worker->answer()['result']['id'];
}
sort($ids);
echo implode(' ', $ids), "\n";
show_what_is_left($redis);
?>
--EXPECT--
requests: yes
1 2 3 4 5 6 7 8
left: nothing
