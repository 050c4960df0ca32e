--TEST--
A wait in vain ends after its timeout, and asks little meanwhile
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

$queue->enqueue('x', 'much later', afterInterval: 100);
$queue->pop('x'); // sends the script, which 3 ms may be too short for
foreach ([0.003, 0.05, 0.7] as $timeout) {
    $before = request_calls($redis);
    $held_up = held_up();
    $began = hrtime(true);
    $task = $queue->reserve('x', timeout: $timeout);
    $took = (hrtime(true) - $began) / 1e9;
    echo $timeout, ': ', var_export($task, true), ' ';
    took_between('in time', $took, $timeout, $timeout + 0.25);
    // Where a busy machine lets it sleep through its time, there is no last question.
    is_between('  requests', request_calls($redis) - $before, held_up() - $held_up < $timeout / 2 ? 2 : 1, 4);
}
// Of another queue, since the short waits may have left it behind there.
$queue->enqueue('y', 'much later', afterInterval: 100);
$took = seconds(fn () => var_dump($queue->pop('y', 5, 0.3)));
// It is given up by the last question; where a busy machine leaves that without an answer, it is over by itself.
$given_up = wait_until(fn () => $redis->cmd('EXISTS', '{queue:y}:rq:keeper') === 0, $took < 0.33 ? 0.1 + held_up() : 2.5);
is_so('nobody keeps the time any more', $given_up);
?>
--EXPECT--
0.003: false in time: yes
  requests: yes
0.05: false in time: yes
  requests: yes
0.7: false in time: yes
  requests: yes
array(0) {
}
nobody keeps the time any more: yes
