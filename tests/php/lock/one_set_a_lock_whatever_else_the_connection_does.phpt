--TEST--
A lock without a wait is one SET, also on a connection that has served a queue and looks before
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$queue = new RedisQueue($server->dsn());

$queue->enqueue('tasks', 'one');
$task = $queue->reserve('tasks');
$queue->ack('tasks', $task['id'], $task['receipt']);
$queue->top('tasks');
$queue->stats('tasks');
$queue->dead('tasks');
$queue->requeue('tasks');
$queue->dequeue('tasks', 'two', 1.0);
$lock->owner('x');
$lock->waiters('x');
$lock->lock('x');
$lock->unlock('x');

$redis->cmd('CONFIG', 'RESETSTAT');
for ($i = 0; $i < 10; $i++) {
    $lock->lock('x');
    $lock->unlock('x');
}
$calls = command_calls($redis);
printf("%d sets, %d scripts\n", $calls['set'], $calls['evalsha']);
?>
--EXPECT--
10 sets, 10 scripts
