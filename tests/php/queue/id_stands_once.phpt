--TEST--
A later enqueue replaces the earlier one and gives another score; replace: false keeps the first
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
$first = $queue->top('x');
var_dump($queue->enqueue('x', 'a'));
echo ids($queue->top('x', 10)), "\n";
$second = $queue->top('x', 2)[1];
is_so('another score', $second['id'] === 'a' && $second['score'] > $first['score']);
is_so('the old score removes nothing', !$queue->dequeue('x', 'a', $first['score']));
is_so('the new one does', $queue->dequeue('x', 'a', $second['score']));
is_so('once', !$queue->dequeue('x', 'a', $second['score']));

$queue->enqueue('x', 'c');
var_dump($queue->enqueue('x', 'b', replace: false), $queue->enqueue('x', ['b', 'd'], replace: false));
echo ids($queue->top('x', 10)), "\n";

// It may also be put off, and brought forward.
$queue->enqueue('x', 'b', afterInterval: 100);
echo ids($queue->top('x', 10)), "\n";
$queue->enqueue('x', 'b', afterInterval: 100, replace: false);
$queue->enqueue('x', 'b');
echo ids($queue->top('x', 10)), "\n";
?>
--EXPECT--
bool(true)
'b' 'a'
another score: yes
the old score removes nothing: yes
the new one does: yes
once: yes
bool(false)
bool(true)
'b' 'c' 'd'
'c' 'd'
'c' 'd' 'b'
