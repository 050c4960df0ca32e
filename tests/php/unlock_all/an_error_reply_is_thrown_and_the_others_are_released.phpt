--TEST--
unlockAll() throws when one could not be released, after it released the others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['a', 'b', 'c'] as $name) {
    $lock->lock($name);
}
$redis->cmd('SET', '{lock:b}:rl:wait', 'of a foreign type');

try {
    var_dump($lock->unlockAll());
} catch (RedisLockServerException $e) {
    echo get_class($e), ' ', $e->lockName, ' ', $e->redisError, "\n";
}
is_so('nothing stayed locked', $redis->cmd('EXISTS', 'lock:a', 'lock:b', 'lock:c') === 0, all_keys($redis));
?>
--EXPECT--
RedisLockServerException b WRONGTYPE
nothing stayed locked: yes
