--TEST--
A server that stands still: RedisLockConnectionException after read_timeout, in every method
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
$lock = new RedisLock($server->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
$lock->lock('held');
$server->pause();

$calls = [
    'lock' => fn () => $lock->lock('x'),
    'expire' => fn () => $lock->expire('held', 5),
    'isLocking' => fn () => $lock->isLocking('held'),
    'unlock' => fn () => $lock->unlock('held'),
    'owner' => fn () => $lock->owner('x'),
    'waiters' => fn () => $lock->waiters('x'),
    'forceUnlock' => fn () => $lock->forceUnlock('x'),
    'attach' => fn () => $lock->attach('x', 'token'),
];
foreach ($calls as $method => $call) {
    $took = seconds(function () use ($call, &$outcome) {
        $outcome = outcome($call);
    });
    echo "$method: $outcome";
    took_between(', seconds', $took, 0.09, 0.2);
}
$server->resume();
?>
--EXPECT--
lock: RedisLockConnectionException, seconds: yes
expire: RedisLockConnectionException, seconds: yes
isLocking: RedisLockConnectionException, seconds: yes
unlock: RedisLockConnectionException, seconds: yes
owner: RedisLockConnectionException, seconds: yes
waiters: RedisLockConnectionException, seconds: yes
forceUnlock: RedisLockConnectionException, seconds: yes
attach: RedisLockConnectionException, seconds: yes
