--TEST--
A user who lacks a right is told so, and nothing is taken that is not delivered
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

require __DIR__ . '/../rights/queue_everything.inc';

$server = RedisServer::start();
$redis = $server->client();
$owner = new RedisQueue($server->dsn());
foreach (preg_filter('/^\+/', '', minimal_rights(of_queue: true)) as $right) {
    make_user($redis, "no-$right", array_diff(minimal_rights(of_queue: true), ["+$right"]));
    $queue = new RedisQueue(dsn_of($server, "no-$right"), ['persistent' => false]);
    foreach (['pop', 'reserve'] as $method) {
        $redis->cmd('FLUSHALL');
        $owner->enqueue('x', ['a', 'b', 'c']);
        try {
            $taken = count($queue->$method('x', 2));
        } catch (RedisQueueServerException $e) {
            $taken = 0;
            if ($e->redisError !== 'NOPERM') {
                echo "$right: ", $e->getMessage(), "\n";
            }
        }
        $there = count($owner->pop('x', 10)) + ($method === 'reserve' ? $owner->stats('x')['reserved'] : 0);
        if ($taken + $there < 3) {
            echo "without $right, $method() loses tasks: $taken taken, $there there\n";
        }
    }
}
echo "done\n";
?>
--EXPECT--
done
