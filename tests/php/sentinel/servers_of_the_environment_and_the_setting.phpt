--TEST--
Sentinels may stand in env:NAME and in the setting; beside another server they may not
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start();
$locks = function (RedisLock $lock) use ($set): void {
    var_dump($lock->lock('x') && $set->master()->client()->cmd('GET', 'lock:x') === $lock->token('x') && $lock->unlock('x'));
};
putenv('REDISLOCK_TEST_SENTINELS=' . $set->dsn());
$locks(new RedisLock('env:REDISLOCK_TEST_SENTINELS', $set->options));
ini_set('redislock.servers', 'env:REDISLOCK_TEST_SENTINELS');
$locks(new RedisLock(null, $set->options));
ini_set('redislock.servers', $set->dsn());
$locks(new RedisLock(null, $set->options));
$locks(new RedisLock([$set->dsn()], $set->options));
thrown(fn () => new RedisLock([$set->dsn(), 'redis://127.0.0.1:1', 'redis://127.0.0.1:2'], $set->options));
putenv('REDISLOCK_TEST_SENTINELS=' . $set->dsn() . ' redis://127.0.0.1:1 redis://127.0.0.1:2');
thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_SENTINELS', $set->options))->lock('x'));
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER
RedisLockConnectionException: env:REDISLOCK_TEST_SENTINELS: the environment variable must hold a server: one that Sentinel names must be the only one: name all sentinels in it, as redis-sentinel://HOST,HOST/MASTER (lock "x")
