--TEST--
A server that accepts and stays silent: each call ends within its one budget
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

$folder = new PrivateFolder();
foreach (['unix', 'tcp'] as $kind) {
    $silent = new Listener($kind, $folder);
    foreach ([[], ['username' => 'user', 'password' => 'p', 'database' => 1]] as $login) {
        $with = $kind . ($login ? ' with a login' : '');
        // The budget of a call without a timeout is the larger of the two.
        foreach ([[0.3, 0.1], [0.1, 0.3], [0.3, 0.3]] as [$connect, $read]) {
            $lock = new RedisLock($silent->dsn, ['connect_timeout' => $connect, 'read_timeout' => $read] + $login);
            budget("$with, $connect/$read, lock()", 0.09, 0.3, fn () => $lock->lock('x'));
            budget("$with, $connect/$read, unlock(token)", 0.09, 0.3, fn () => $lock->unlock('x', 'token'));
        }
        $lock = new RedisLock($silent->dsn, $login);
        budget("$with, lock(timeout: 0.5)", 0.45, 0.5, fn () => $lock->lock('x', 0.5));
        budget("$with, lock(timeout: 0.02)", 0.01, 0.02, fn () => $lock->lock('x', 0.02));
        budget("$with, synchronized(timeout: 0.5)", 0.45, 0.5, fn () => $lock->synchronized('x', fn () => 'in the section', 0.5));
        budget("$with, lock()", 0.95, 1.0, fn () => $lock->lock('x'));
        budget("$with, owner()", 0.95, 1.0, fn () => $lock->owner('x'));
        // Longer than a connect may take: what cannot be had at the start is no reason to wait.
        budget("$with, lock(timeout: 5.0)", 0.95, 1.0, fn () => $lock->lock('x', 5.0));
    }
}
?>
--EXPECT--
unix, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
unix, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
unix, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
unix, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
unix, 0.3/0.3, lock(): RedisLockConnectionException, in time: yes
unix, 0.3/0.3, unlock(token): RedisLockConnectionException, in time: yes
unix, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
unix, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
unix, lock(): RedisLockConnectionException, in time: yes
unix, owner(): RedisLockConnectionException, in time: yes
unix, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
unix with a login, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
unix with a login, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
unix with a login, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
unix with a login, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
unix with a login, 0.3/0.3, lock(): RedisLockConnectionException, in time: yes
unix with a login, 0.3/0.3, unlock(token): RedisLockConnectionException, in time: yes
unix with a login, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
unix with a login, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
unix with a login, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
unix with a login, lock(): RedisLockConnectionException, in time: yes
unix with a login, owner(): RedisLockConnectionException, in time: yes
unix with a login, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
tcp, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
tcp, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
tcp, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
tcp, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
tcp, 0.3/0.3, lock(): RedisLockConnectionException, in time: yes
tcp, 0.3/0.3, unlock(token): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
tcp, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp, lock(): RedisLockConnectionException, in time: yes
tcp, owner(): RedisLockConnectionException, in time: yes
tcp, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
tcp with a login, 0.3/0.1, lock(): RedisLockConnectionException, in time: yes
tcp with a login, 0.3/0.1, unlock(token): RedisLockConnectionException, in time: yes
tcp with a login, 0.1/0.3, lock(): RedisLockConnectionException, in time: yes
tcp with a login, 0.1/0.3, unlock(token): RedisLockConnectionException, in time: yes
tcp with a login, 0.3/0.3, lock(): RedisLockConnectionException, in time: yes
tcp with a login, 0.3/0.3, unlock(token): RedisLockConnectionException, in time: yes
tcp with a login, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp with a login, lock(timeout: 0.02): RedisLockConnectionException, in time: yes
tcp with a login, synchronized(timeout: 0.5): RedisLockConnectionException, in time: yes
tcp with a login, lock(): RedisLockConnectionException, in time: yes
tcp with a login, owner(): RedisLockConnectionException, in time: yes
tcp with a login, lock(timeout: 5.0): RedisLockConnectionException, in time: yes
