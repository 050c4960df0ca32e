--TEST--
The lock is not had in time: RedisLockTimeoutException, and the section does not run
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
foreign_lock($redis, 'lock:x', 'theirs');
$lock = new RedisLock($server->dsn());

$e = thrown(fn () => $lock->synchronized('x', fn () => print("section ran\n")));
var_dump($e instanceof RedisLockException, $e->lockName, $e->redisError);
var_dump($redis->cmd('GET', 'lock:x'));
?>
--EXPECTF--
RedisLockTimeoutException: %sx%s
bool(true)
string(1) "x"
string(0) ""
string(6) "theirs"
