--TEST--
auto_release false: never; the lease ends it
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
echo Worker::run('
    $lock = new RedisLock($argv[1], ["auto_release" => false]);
    var_dump($lock->lock("x", expire: 20));
    unset($lock);
    $lock = new RedisLock($argv[1], ["auto_release" => false]);
    var_dump($lock->lock("y", expire: 20));
', [$server->dsn()]);
print_r(all_keys($redis));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 10000, 20000);
?>
--EXPECT--
bool(true)
bool(true)
Array
(
    [0] => lock:x
    [1] => lock:y
)
TTL: yes
