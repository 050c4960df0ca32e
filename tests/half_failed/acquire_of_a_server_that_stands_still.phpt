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
$server->pause();
echo outcome(fn () => $lock->lock('x')), "\n";
$server->resume();
$redis->cmd('PING');
usleep(50000); // what it finds in its sockets, it runs now
print_r(all_keys($redis));
?>
--EXPECT--
RedisLockConnectionException
Array
(
    [0] => lock:warm-up
)
