--TEST--
A connection that swallows all answers once it is made: each call ends within its one budget, and nothing is locked for nobody
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the bounds are for a PHP at full speed');
?>
--FILE--
<?php
require __DIR__ . '/faults.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn()); // makes the scripts known: else an answer is lost that asks for their text
$lock->lock('x');
$lock->forceUnlock('x');
$lock->unlock('x');
$lock->expire('y', 1.0, 'token');
$wires = [];
$calls = [
    'lock(timeout: 0.5)' => [0.5, fn ($lock) => $lock->lock('x', 0.5)],
    'synchronized(timeout: 0.5)' => [0.5, fn ($lock) => $lock->synchronized('x', fn () => 'in the section', 0.5)],
    'lock()' => [1.0, fn ($lock) => $lock->lock('x')],
    'unlock()' => [1.0, fn ($lock) => $lock->unlock('mine')],
    'unlockAll()' => [1.0, fn ($lock) => $lock->unlockAll()],
    'expire()' => [1.0, fn ($lock) => $lock->expire('mine', 20.0)],
    'isLocking()' => [1.0, fn ($lock) => $lock->isLocking('mine')],
    'forceUnlock()' => [1.0, fn ($lock) => $lock->forceUnlock('mine')],
];
foreach ($calls as $call => [$most, $act]) {
    budget($call, 0.95 * $most, $most, $act, function () use ($server, $redis, &$wires) {
        $wires[] = $wire = new Wire($server); // what is written last is still on its way when the call ends
        $redis->cmd('FLUSHALL');
        $lock = new RedisLock($wire->dsn(), ['persistent' => false, 'auto_release' => false]);
        $lock->lock('mine');
        for ($i = 0; $i < 50; $i++) {
            $wire->silence();
        }
        return $lock;
    });
    $left = str_contains($call, 'nlock') ? [] : ['lock:mine'];
    is_so('left is what it should', wait_until(fn () => all_keys($redis) === $left, 0.5), all_keys($redis));
}
?>
--EXPECT--
lock(timeout: 0.5): RedisLockConnectionException, in time: yes
left is what it should: yes
synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
left is what it should: yes
lock(): RedisLockConnectionException, in time: yes
left is what it should: yes
unlock(): RedisLockConnectionException, in time: yes
left is what it should: yes
unlockAll(): RedisLockConnectionException, in time: yes
left is what it should: yes
expire(): RedisLockConnectionException, in time: yes
left is what it should: yes
isLocking(): RedisLockConnectionException, in time: yes
left is what it should: yes
forceUnlock(): RedisLockConnectionException, in time: yes
left is what it should: yes
