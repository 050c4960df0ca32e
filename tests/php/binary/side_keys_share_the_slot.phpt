--TEST--
The side keys of a waiting lock lie in the lock's cluster slot
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
foreach (['plain', '{tag}x', 'a{tag}x', '{}x'] as $name) {
    $redis->cmd('FLUSHALL');
    $lock->lock($name);
    $waiter = Worker::start('
        $lock = new RedisLock($argv[1]);
        $lock->lock($argv[2], timeout: 10);
    ', [$server->dsn(), $name]);
    wait_until(fn () => $lock->waiters($name) === 1);
    echo json_encode(array_values(array_diff(all_keys($redis), ["lock:$name"])), JSON_UNESCAPED_SLASHES), "\n";
    $lock->forceUnlock($name);
    $waiter->output();
    $lock->unlock($name);
}
?>
--EXPECT--
["{lock:plain}:rl:fence","{lock:plain}:rl:wait"]
["lock:{tag}x:rl:fence","lock:{tag}x:rl:wait"]
["lock:a{tag}x:rl:fence","lock:a{tag}x:rl:wait"]
["{lock:{}x}:rl:fence","{lock:{}x}:rl:wait"]
