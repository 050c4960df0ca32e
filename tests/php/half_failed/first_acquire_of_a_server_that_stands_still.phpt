--TEST--
The server stands still during its first acquisition ever: when it goes on, nothing is locked
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
$server->pause();
echo outcome(fn () => $lock->lock('x')), "\n";
$server->resume();
$redis->cmd('PING');
usleep(50000); // what it finds in its sockets, it runs now
var_dump(all_keys($redis));
?>
--EXPECT--
RedisLockConnectionException
array(0) {
}
