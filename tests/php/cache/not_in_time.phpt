--TEST--
remember(): not there in time is a RedisLockTimeoutException, never a second rebuild
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
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$builder = building($server);
$e = thrown(fn () => $lock->remember('k', fn () => print("BUILDS"), 60, timeout: 0));
var_dump($e->lockName);
$began = now();
thrown(fn () => $lock->remember('k', fn () => print("BUILDS"), 60, timeout: 0.3));
took_between('s', now() - $began, 0.28, 3);
thrown(fn () => (new RedisLock($server->dsn(), ['timeout' => 0.5]))->remember('k', fn () => print("BUILDS"), 60));

$waiter = remembering($server, 'print "BUILDS"');
await_blocked($redis, 1);
$began = now();
thrown(fn () => (new RedisLock($server->dsn(), ['max_waiters' => 1]))->remember('k', fn () => print("BUILDS"), 60, timeout: 20));
took_between('too many wait: at once', now() - $began, 0, 1);
$builder->tell('value');
echo $builder->output(), $waiter->output();
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECTF--
RedisLockTimeoutException: %s: somebody else builds the value (lock "k")
string(1) "k"
RedisLockTimeoutException: %s: somebody else builds the value, and it was not there within 0.3 s (lock "k")
s: yes
RedisLockTimeoutException: %s: somebody else builds the value, and it was not there within 0.5 s (lock "k")
RedisLockTimeoutException: %s: too many are waiting for the value already (lock "k")
too many wait: at once: yes
"value"
"value"
{lock:k}:rl:value
