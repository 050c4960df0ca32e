--TEST--
The same with the scripts in its cache: what it takes when it goes on is given back
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
$lock = new RedisLock($server->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
$lock->lock('warm-up');
foreach ([null, 'rl:' . str_repeat('1', 32), 'job-1'] as $token) {
    $server->pause();
    echo outcome(fn () => $lock->lock('x', token: $token)), "\n";
    $server->resume();
    $redis->cmd('PING');
    usleep(50000); // what it finds in its sockets, it runs now
    echo implode(' ', all_keys($redis)), "\n";
    $lock->owner('x'); // a connection, and the scripts in the cache
}
?>
--EXPECT--
RedisLockConnectionException
lock:warm-up
RedisLockConnectionException
lock:warm-up
RedisLockConnectionException
lock:warm-up
