--TEST--
A server whose backlog is full, on a unix socket or a port, which is a black hole: each call ends within its one budget
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

foreach (['unix', 'tcp'] as $kind) {
    $full = (new Listener($kind, new PrivateFolder(), 1))->fill();
    foreach ([[0.3, 0.1], [0.1, 0.3]] as [$connect, $read]) {
        $lock = new RedisLock($full->dsn, ['connect_timeout' => $connect, 'read_timeout' => $read]);
        budget("$kind, $connect/$read, lock()", 0.09, 0.3, fn () => $lock->lock('x'));
        budget("$kind, $connect/$read, unlock(token)", 0.09, 0.3, fn () => $lock->unlock('x', 'token'));
        budget("$kind, $connect/$read, lock(timeout: 0.5)", 0.09, 0.5, fn () => $lock->lock('x', 0.5));
    }
    $lock = new RedisLock($full->dsn);
    budget("$kind, lock(timeout: 0.5)", 0.45, 0.5, fn () => $lock->lock('x', 0.5));
    budget("$kind, lock(timeout: 0.02)", 0.01, 0.02, fn () => $lock->lock('x', 0.02));
    budget("$kind, synchronized(timeout: 0.5)", 0.45, 0.5, fn () => $lock->synchronized('x', fn () => 'in the section', 0.5));
    budget("$kind, lock()", 0.95, 1.0, fn () => $lock->lock('x'));
    budget("$kind, waiters()", 0.95, 1.0, fn () => $lock->waiters('x'));
    budget("$kind, lock(timeout: 5.0)", 0.95, 1.0, fn () => $lock->lock('x', 5.0));
}
?>
--EXPECT--
unix, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
unix, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
unix, 0.3/0.1, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
unix, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
unix, 0.1/0.3, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
unix, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, lock(): RedisLockConnectionException, in time: yes
unix, waiters(): RedisLockConnectionException, in time: yes
unix, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
tcp, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
tcp, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
tcp, 0.3/0.1, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
tcp, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
tcp, 0.1/0.3, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
tcp, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, lock(): RedisLockConnectionException, in time: yes
tcp, waiters(): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
