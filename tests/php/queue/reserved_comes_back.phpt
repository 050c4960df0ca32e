--TEST--
A reserved task whose worker does not come back is due again after its time, with a count of attempts
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
$first = $queue->reserve('x', visibility: 0.3);
echo $first['id'], ' ', $first['attempts'], ', ', counts($queue, 'x'), "\n";
echo ids($queue->pop('x', 10)), ', ', counts($queue, 'x'), "\n";
$began = microtime(true);
$second = $queue->reserve('x', timeout: 10);
is_so('not before its time', microtime(true) - $began > 0.25);
echo $second['id'], ' ', $second['attempts'], "\n";
is_so('its old score', $second['score'] === $first['score']);
is_so('a receipt of its own', $second['receipt'] !== $first['receipt']);
is_so('the first worker is too late', !$queue->ack('x', 'a', $first['receipt']) && !$queue->touch('x', 'a', $first['receipt'], 10)
    && !$queue->release('x', 'a', $first['receipt']));
is_so('the second is not', $queue->ack('x', 'a', $second['receipt']));
is_so('once', !$queue->ack('x', 'a', $second['receipt']));
echo counts($queue, 'x'), "\n";
show_what_is_left($server->client());
?>
--EXPECT--
a 1, 1 due, 1 reserved
'b', 1 reserved
not before its time: yes
a 2
its old score: yes
a receipt of its own: yes
the first worker is too late: yes
the second is not: yes
once: yes
nothing
left: nothing
