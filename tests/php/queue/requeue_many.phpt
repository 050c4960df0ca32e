--TEST--
requeue() of all dead tasks, also thousands
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
$queue = new RedisQueue($server->dsn(), ['max_attempts' => 1, 'read_timeout' => 20.0]);

$queue->enqueue('x', range(1, 2500));
foreach ($queue->reserve('x', 2500) as $task) {
    $queue->release('x', $task['id'], $task['receipt']);
}
echo counts($queue, 'x'), ', told: ', count($queue->dead('x', 10000)), "\n";
var_dump($queue->requeue('x', range(1, 1200)), $queue->requeue('x'));
echo counts($queue, 'x'), "\n";
$ids = array_column($queue->pop('x', 10000), 'id');
is_so('all', count(array_unique($ids)) === 2500, count($ids));
is_safe('each once', count(array_unique($ids)) === count($ids), count($ids));
show_what_is_left($server->client());
?>
--EXPECT--
2500 dead, told: 2500
int(1200)
int(1300)
2500 due
all: yes
each once: yes
left: nothing
