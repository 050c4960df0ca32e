--TEST--
Ids of 64 KB come in portions, and none is lost
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

$ids = array_map(fn ($i) => str_pad((string) $i, 65535, "\0\xff"), range(1, 40));
$queue->enqueue('x', $ids);
echo count($queue->top('x', 100)), "\n";
$got = [];
while ($tasks = $queue->pop('x', 100)) {
    array_push($got, ...array_column($tasks, 'id'));
}
var_dump($got === $ids);

// What a foreign client put there may be too long for us: that is said, and it stays.
$redis = $server->client();
$redis->cmd('ZADD', 'queue:x', 1, str_repeat('x', 1000000));
foreach (['pop', 'top', 'reserve'] as $method) {
    thrown(fn () => $queue->$method('x'));
}
var_dump($redis->cmd('ZCARD', 'queue:x'));
$redis->cmd('ZADD', '{queue:x}:rq:dead', 1, str_repeat('x', 1000000));
$redis->cmd('ZADD', '{queue:x}:rq:dead', 2, 'short');
thrown(fn () => $queue->dead('x'));
var_dump($queue->stats('x')['dead']);

// So many that what stands in front of each id counts as well.
$many = array_map(fn ($i) => str_pad((string) $i, 89, '-'), range(1, 10000));
$queue->enqueue('many', $many);
$top = array_column($queue->top('many', 10000), 'id');
var_dump(count($top) > 8000, count($top) * (89 + 16) <= 1 << 20, $top === array_slice($many, 0, count($top)));
$redis->cmd('ZUNIONSTORE', '{queue:many}:rq:dead', 1, 'queue:many');
var_dump(array_column($queue->dead('many', 10000), 'id') === $top);
?>
--EXPECTF--
13
bool(true)
RedisQueueServerException: %s: ERR the first id that is due is too long to be delivered%S (queue "x")
RedisQueueServerException: %s: ERR the first id that is due is too long to be delivered%S (queue "x")
RedisQueueServerException: %s: ERR the first id that is due is too long to be delivered%S (queue "x")
int(1)
RedisQueueServerException: %s: ERR the first id that died is too long to be delivered%S (queue "x")
int(2)
bool(true)
bool(true)
bool(true)
bool(true)
