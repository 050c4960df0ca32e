--TEST--
A worker that is late may still acknowledge while nobody else has the task
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
$queue = new RedisQueue($server->dsn());

$queue->enqueue('x', ['a', 'b']);
[$a, $b] = $queue->reserve('x', 2, visibility: 0.01);
usleep(30000);
echo counts($queue, 'x'), "\n";
var_dump($queue->ack('x', 'a', $a['receipt']), $queue->touch('x', 'b', $b['receipt'], 10));
echo counts($queue, 'x'), "\n";
var_dump($queue->ack('x', 'b', $b['receipt']));
?>
--EXPECT--
2 due
bool(true)
bool(true)
1 reserved
bool(true)
