--TEST--
A server that is stopped, with a connection that was used before and without one: each call ends within its one budget
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

$server = RedisServer::start(tcp: true);
foreach ([$server->dsn(), $server->tcpDsn()] as $i => $dsn) {
    foreach ([true, false] as $connected) {
        $with = ($i ? 'tcp' : 'unix') . ($connected ? ', connected' : ', not connected');
        $make = function (array $options = []) use ($server, $dsn, $connected) {
            $server->resume();
            $lock = new RedisLock($dsn, ['persistent' => false] + $options);
            $connected && $lock->owner('x');
            $server->pause();
            return $lock;
        };
        $calls = [
            'lock(timeout: 0.5)' => [0.5, fn ($lock) => $lock->lock('x', 0.5)],
            'lock(timeout: 0.5), short timeouts' => [0.5, fn ($lock) => $lock->lock('x', 0.5), ['connect_timeout' => 0.2, 'read_timeout' => 0.2]],
            'synchronized(timeout: 0.5)' => [0.5, fn ($lock) => $lock->synchronized('x', fn () => 'in the section', 0.5)],
            'lock()' => [1.0, fn ($lock) => $lock->lock('x')],
            'lock(), 0.3/0.1' => [0.3, fn ($lock) => $lock->lock('x'), ['connect_timeout' => 0.3, 'read_timeout' => 0.1]],
            'lock(), 0.1/0.3' => [0.3, fn ($lock) => $lock->lock('x'), ['connect_timeout' => 0.1, 'read_timeout' => 0.3]],
            'unlock(token)' => [1.0, fn ($lock) => $lock->unlock('x', 'token')],
            'unlock(token), 0.1/0.3' => [0.3, fn ($lock) => $lock->unlock('x', 'token'), ['connect_timeout' => 0.1, 'read_timeout' => 0.3]],
            'forceUnlock()' => [1.0, fn ($lock) => $lock->forceUnlock('x')],
        ];
        foreach ($calls as $call => [$most, $act]) {
            $options = $calls[$call][2] ?? [];
            budget("$with, $call", 0.95 * min([$most, ...$options]), $most, $act, fn () => $make($options));
        }
        $server->resume();
    }
}
?>
--EXPECT--
unix, connected, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, connected, lock(timeout: 0.5), short timeouts: RedisLockConnectionException, in time: yes
unix, connected, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, connected, lock(): RedisLockConnectionException, in time: yes
unix, connected, lock(), 0.3/0.1: RedisLockConnectionException, in time: yes
unix, connected, lock(), 0.1/0.3: RedisLockConnectionException, in time: yes
unix, connected, unlock(token): RedisLockConnectionException, in time: yes
unix, connected, unlock(token), 0.1/0.3: RedisLockConnectionException, in time: yes
unix, connected, forceUnlock(): RedisLockConnectionException, in time: yes
unix, not connected, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, not connected, lock(timeout: 0.5), short timeouts: RedisLockConnectionException, in time: yes
unix, not connected, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, not connected, lock(): RedisLockConnectionException, in time: yes
unix, not connected, lock(), 0.3/0.1: RedisLockConnectionException, in time: yes
unix, not connected, lock(), 0.1/0.3: RedisLockConnectionException, in time: yes
unix, not connected, unlock(token): RedisLockConnectionException, in time: yes
unix, not connected, unlock(token), 0.1/0.3: RedisLockConnectionException, in time: yes
unix, not connected, forceUnlock(): RedisLockConnectionException, in time: yes
tcp, connected, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, connected, lock(timeout: 0.5), short timeouts: RedisLockConnectionException, in time: yes
tcp, connected, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, connected, lock(): RedisLockConnectionException, in time: yes
tcp, connected, lock(), 0.3/0.1: RedisLockConnectionException, in time: yes
tcp, connected, lock(), 0.1/0.3: RedisLockConnectionException, in time: yes
tcp, connected, unlock(token): RedisLockConnectionException, in time: yes
tcp, connected, unlock(token), 0.1/0.3: RedisLockConnectionException, in time: yes
tcp, connected, forceUnlock(): RedisLockConnectionException, in time: yes
tcp, not connected, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, not connected, lock(timeout: 0.5), short timeouts: RedisLockConnectionException, in time: yes
tcp, not connected, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, not connected, lock(): RedisLockConnectionException, in time: yes
tcp, not connected, lock(), 0.3/0.1: RedisLockConnectionException, in time: yes
tcp, not connected, lock(), 0.1/0.3: RedisLockConnectionException, in time: yes
tcp, not connected, unlock(token): RedisLockConnectionException, in time: yes
tcp, not connected, unlock(token), 0.1/0.3: RedisLockConnectionException, in time: yes
tcp, not connected, forceUnlock(): RedisLockConnectionException, in time: yes
