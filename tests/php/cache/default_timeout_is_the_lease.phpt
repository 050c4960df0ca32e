--TEST--
remember() without a timeout waits as long as a lease, where the object does not wait
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$builder = building($server, options: ['expire' => 60]);
$began = now();
thrown(fn () => (new RedisLock($server->dsn(), ['expire' => 0.4]))->remember('k', fn () => print("BUILDS"), 60));
took_between('s', now() - $began, 0.38, 3);
?>
--EXPECTF--
RedisLockTimeoutException: %s: somebody else builds the value, and it was not there within 0.4 s (lock "k")
s: yes
