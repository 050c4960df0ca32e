--TEST--
A replica: every method is a RedisLockServerException, READONLY, and none says no
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
$lock = new RedisLock($server->dsn());
$lock->lock('held');
$redis->cmd('REPLICAOF', '127.0.0.1', 1); // demoted

$calls = [
    'lock, free' => fn () => $lock->lock('x'),
    'lock, held by another' => fn () => (new RedisLock($server->dsn(), ['auto_release' => false]))->lock('held'),
    'unlock with another token' => fn () => $lock->unlock('held', 'other'),
    'unlock with token, free' => fn () => $lock->unlock('x', 'token'),
    'expire' => fn () => $lock->expire('held', 5),
    'expire with another token' => fn () => $lock->expire('held', 5, 'other'),
    'isLocking' => fn () => $lock->isLocking('held'),
    'unlock' => fn () => $lock->unlock('held'),
    'synchronized' => fn () => $lock->synchronized('x', fn () => print("section ran\n")),
    'owner, held' => fn () => $lock->owner('held'),
    'owner, free' => fn () => $lock->owner('x'),
    'waiters' => fn () => $lock->waiters('x'),
    'forceUnlock, held' => fn () => $lock->forceUnlock('held'),
    'forceUnlock, free' => fn () => $lock->forceUnlock('x'),
    'attach' => fn () => $lock->attach('x', 'token'),
    'unlockAll' => fn () => $lock->unlockAll(),
];
foreach ($calls as $method => $call) {
    echo "$method: ", outcome($call), "\n";
}
$redis->cmd('REPLICAOF', 'NO', 'ONE');
var_dump($lock->unlock('held'));
?>
--EXPECT--
lock, free: RedisLockServerException READONLY
lock, held by another: RedisLockServerException READONLY
unlock with another token: RedisLockServerException READONLY
unlock with token, free: RedisLockServerException READONLY
expire: RedisLockServerException READONLY
expire with another token: RedisLockServerException READONLY
isLocking: RedisLockServerException READONLY
unlock: RedisLockServerException READONLY
synchronized: RedisLockServerException READONLY
owner, held: RedisLockServerException READONLY
owner, free: RedisLockServerException READONLY
waiters: RedisLockServerException READONLY
forceUnlock, held: RedisLockServerException READONLY
forceUnlock, free: RedisLockServerException READONLY
attach: RedisLockServerException READONLY
unlockAll: RedisLockServerException READONLY
bool(true)
