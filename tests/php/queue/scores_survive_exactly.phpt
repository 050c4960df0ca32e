--TEST--
Scores survive the round trip exactly, whoever wrote them
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

foreach (['1700000000.1234567', '1700000000.0000002', '1e-300', '-17.1', '0', '1700000000', '-inf', '4.9e-324'] as $i => $score) {
    $redis->cmd('ZADD', 'queue:x', $score, "id$i");
}
foreach ($queue->top('x', 10) as ['id' => $id, 'score' => $score]) {
    echo $id, ' ', json_encode(is_finite($score) ? $score : (string) $score), ' ';
    echo !is_finite($score) || $queue->dequeue('x', $id, $score) ? 'removed' : 'NOT REMOVED', "\n";
}
setlocale(LC_ALL, 'de_DE.UTF-8');
ini_set('precision', 3);
$queue->enqueue('x', 'y');
is_so('whatever the locale and the precision are', $queue->dequeue('x', 'y', $queue->top('x', 2)[1]['score']));
?>
--EXPECT--
id6 "-INF" removed
id3 -17.1 removed
id4 0 removed
id7 5.0e-324 removed
id2 1.0e-300 removed
id5 1700000000 removed
id1 1700000000.0000002 removed
id0 1700000000.1234567 removed
whatever the locale and the precision are: yes
