--TEST--
A user without the right to wake others: the value is kept, the lock is free, an exception says so
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start(['user narrow on >secret ~* +@all -rpush', 'user blind on >secret ~* +@all -get', 'user stuck on >secret ~* +@all -blpop']);
$redis = $server->client();
$as = fn (string $user) => ['username' => $user, 'password' => 'secret'];
$builder = building($server, options: $as('narrow'));
$waiter = remembering($server, 'print("BUILDS TOO")', options: $as('stuck'));
echo strtok($waiter->output(), ':'), "\n";
$waiter = remembering($server, 'print("BUILDS TOO")', 'ttl: 60, timeout: ' . slow(5.0)); // the last look is a short one
await_blocked($redis, 1);
$builder->tell('value');
echo strtok($builder->output(), ':'), "\n";
echo $waiter->output(); // by its own look: at the deadline, or under valgrind after ten seconds
echo outcome(fn () => (new RedisLock($server->address(), $as('blind')))->remember('x', fn () => print('BUILDS'), 60)), "\n";
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECT--
RedisLockServerException
RedisLockServerException
"value"
RedisLockServerException NOPERM
{lock:k}:rl:value
