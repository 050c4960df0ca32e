--TEST--
once(): a rebuild that took longer than the lease is a RedisLockLostException with the value
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
try {
    $lock->once('o', fn () => null, function () use ($redis) {
        $redis->cmd('SET', 'lock:o', 'another');
        return 'value';
    });
} catch (RedisLockLostException $e) {
    var_dump($e->result, $e->lockName);
}
var_dump($lock->held(), $redis->cmd('GET', 'lock:o'));
?>
--EXPECT--
string(5) "value"
string(1) "o"
array(0) {
}
string(7) "another"
