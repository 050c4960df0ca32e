--TEST--
A lease without end is not to be renewed: a ValueError that names the argument, before anything is sent
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$nobody = 'redis://127.0.0.1:1';
$lock = new RedisLock($nobody);
thrown(fn () => $lock->lock('x', 0, INF, null, true));
thrown(fn () => $lock->lock('x', expire: INF, renew: true));
thrown(fn () => $lock->lockAll(['x', 'y'], expire: INF, renew: true));
thrown(fn () => $lock->synchronized('x', fn () => null, expire: INF, renew: true));

$lock = new RedisLock($nobody, ['expire' => INF]);
thrown(fn () => $lock->lock('x', renew: true));
thrown(fn () => $lock->attach('x', 'token', renew: true));
thrown(fn () => $lock->attach('x', 'token', true));

$lock = new RedisLock($nobody, ['expire' => INF, 'renew' => true]);
thrown(fn () => $lock->lock('x'));
thrown(fn () => $lock->lockAll(['x']));
thrown(fn () => $lock->synchronized('x', fn () => null));
thrown(fn () => $lock->attach('x', 'token'));
thrown(fn () => $lock->remember('x', fn () => 1, 60));
thrown(fn () => $lock->once('x', fn () => null, fn () => 1));
?>
--EXPECT--
ValueError: RedisLock::lock(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::lock(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::lockAll(): Argument #4 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::synchronized(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::lock(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::attach(): Argument #3 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::attach(): Argument #3 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::lock(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::lockAll(): Argument #4 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::synchronized(): Argument #5 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::attach(): Argument #3 ($renew) must be false if the lease has no end (expire is INF)
ValueError: RedisLock::remember(): the option "renew" must be false if the lease has no end (expire is INF)
ValueError: RedisLock::once(): the option "renew" must be false if the lease has no end (expire is INF)
