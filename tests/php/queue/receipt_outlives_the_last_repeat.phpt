--TEST--
The receipt of an enqueue outlives a repeat that begins at the last moment and takes long to connect
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
$queue = new RedisQueue($server->dsn(), ['connect_timeout' => 20]);
$redis = $server->client();

/** For how many seconds the receipt of the last enqueue is kept. */
function receipt_life(RawClient $redis): float
{
    [$receipt] = $redis->cmd('KEYS', '*:rq:call:*');
    return $redis->cmd('PTTL', $receipt) / 1000;
}

// Repeats begin for up to 60 s, and one that begins then may take 20 s to connect.
$queue->enqueue('x', 1, timeout: 100);
is_between('of a long call', receipt_life($redis), 80, 85);
$redis->cmd('FLUSHALL');
// Nothing is repeated behind the timeout of a call.
$queue->enqueue('x', 1, timeout: 30);
is_between('of a short one', receipt_life($redis), 30, 35);
?>
--EXPECT--
of a long call: yes
of a short one: yes
