--TEST--
A queue works by way of sentinels: enqueued, waited for, reserved and acknowledged
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start();
$redis = $set->master()->client();
$queue = new RedisQueue($set->dsn(), $set->options);
var_dump($queue->enqueue('mail', 'one'));
$task = $queue->reserve('mail');
var_dump($task['id'] ?? $task, $queue->stats('mail')['reserved']);
var_dump($queue->ack('mail', $task['id'], $task['receipt']));
$worker = Worker::start('$queue = new RedisQueue($argv[1], unserialize(base64_decode($argv[2]))); echo json_encode($queue->pop("mail", timeout: 10.0)["id"]);', [
    $set->dsn(), base64_encode(serialize($set->options)),
]);
await_blocked($redis, 1);
$queue->enqueue('mail', 'two');
echo $worker->output(), "\n";
?>
--EXPECT--
bool(true)
string(3) "one"
int(1)
bool(true)
"two"
