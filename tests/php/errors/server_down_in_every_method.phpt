--TEST--
Every method that asks the server throws when it is down, and none says false
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
$lock = new RedisLock($server->dsn());
$lock->lock('held');
$server->kill();

$calls = [
    'lock' => fn () => $lock->lock('x'),
    'lock with timeout' => fn () => $lock->lock('x', 0.05),
    'unlock with token' => fn () => $lock->unlock('x', 'token'),
    'expire' => fn () => $lock->expire('held', 5),
    'isLocking' => fn () => $lock->isLocking('held'),
    'unlock' => fn () => $lock->unlock('held'),
    'synchronized' => fn () => $lock->synchronized('x', fn () => print("section ran\n")),
    'owner' => fn () => $lock->owner('x'),
    'waiters' => fn () => $lock->waiters('x'),
    'forceUnlock' => fn () => $lock->forceUnlock('x'),
    'attach' => fn () => $lock->attach('x', 'token'),
    'unlockAll' => fn () => $lock->unlockAll(),
];
foreach ($calls as $method => $call) {
    echo "$method: ", outcome($call), "\n";
}
?>
--EXPECT--
lock: RedisLockConnectionException
lock with timeout: RedisLockConnectionException
unlock with token: RedisLockConnectionException
expire: RedisLockConnectionException
isLocking: RedisLockConnectionException
unlock: RedisLockConnectionException
synchronized: RedisLockConnectionException
owner: RedisLockConnectionException
waiters: RedisLockConnectionException
forceUnlock: RedisLockConnectionException
attach: RedisLockConnectionException
unlockAll: RedisLockConnectionException
