--TEST--
The new score differs from the old one even where both are of one moment, or the clock ran back
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

// What stands there was enqueued with just the score that a new one would get: tried often enough, it happens.
$same = 0;
for ($i = 0; $i < 300; $i++) {
    $queue->enqueue('x', 'a', afterInterval: 1000);
    $score = (float) $redis->cmd('ZSCORE', 'queue:x', 'a');
    $script = 'local t = redis.call("TIME") redis.call("ZADD", KEYS[1], string.format("%.17g", t[1] + t[2] / 1000000 + ARGV[1] / 1000000), "a")';
    $redis->cmd('EVAL', $script, 1, 'queue:x', $i);
    $old = $redis->cmd('ZSCORE', 'queue:x', 'a');
    $queue->enqueue('x', 'a');
    $same += $redis->cmd('ZSCORE', 'queue:x', 'a') === $old ? 1 : 0;
}
var_dump($same);

// A list's ids differ among themselves, and stay in order.
$queue->enqueue('y', range(1, 3000));
$scores = array_column($queue->top('y', 10000), 'score', 'id');
var_dump(count(array_unique(array_map(fn ($score) => sprintf('%.9f', $score), $scores))), array_keys($scores) === range(1, 3000));
?>
--EXPECT--
int(0)
int(3000)
bool(true)
