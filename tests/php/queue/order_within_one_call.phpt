--TEST--
What one call enqueues is due at once, also many, and comes in its order
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

for ($try = 0; $try < 20; $try++) {
    $queue->enqueue('x', range(1, 1000));
    if (array_column($queue->pop('x', 2000), 'id') !== range(1, 1000)) {
        echo "NOT ALL, OR IN ANOTHER ORDER\n";
    }
}
$queue->enqueue('x', range(1, 10000));
is_so('10 000', array_column($queue->pop('x', 10000), 'id') === range(1, 10000));
?>
--EXPECT--
10 000: yes
