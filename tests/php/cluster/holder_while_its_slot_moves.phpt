--TEST--
holder() on a cluster; while the lock's slot moves, it tells the holder, and no waiters, since nobody stands in line then
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(2, 0);
$name = $cluster->nameOn($from = $cluster->nodes[0]);
$to = $cluster->others($from)[0];
$lock = new RedisLock($cluster->dsn(), ['owner' => 'the shop']);
$asker = new RedisLock($cluster->dsn(), ['connect_timeout' => 5, 'read_timeout' => 5]);

function show(?array $holder): void
{
    echo json_encode($holder === null ? null : ['since' => is_float($holder['since']), 'lease' => $holder['lease'] > 20 && $holder['lease'] <= 60] + $holder), "\n";
}

$lock->lock($name, 0, 60);
$from->client()->cmd('ZADD', "{lock:$name}:rl:wait", $from->client()->cmd('TIME')[0] * 1000 + 60_000, str_repeat('0', 24));
show($asker->holder($name));
$cluster->beginMigration("lock:$name", $to);
$cluster->migrateKeys("lock:$name", $from, $to, keys: ["lock:$name"]);
show($asker->holder($name));
$lock->unlock($name);
show($asker->holder($name));
?>
--EXPECT--
{"since":true,"lease":true,"owner":"the shop","renewed":false,"waiters":1}
{"since":true,"lease":true,"owner":"the shop","renewed":false,"waiters":0}
null
