--TEST--
A server that takes the connection late and then stays silent: connecting and asking share one budget
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

/** @return array{RedisLock, LateListener} */
function late_server(string $kind, float $late, float $timeout): array
{
    $server = new LateListener($kind);
    $lock = new RedisLock($server->dsn, ['connect_timeout' => $timeout, 'read_timeout' => $timeout]);
    $server->makeRoomIn($late);
    return [$lock, $server];
}

// A port is tried again by the kernel after a second.
foreach (['unix' => [0.2, 0.5], 'tcp' => [0.5, 1.5]] as $kind => [$late, $timeout]) {
    $calls = [
        "lock(timeout: $timeout)" => fn ($lock) => $lock->lock('x', $timeout),
        'lock()' => fn ($lock) => $lock->lock('x'),
        'unlock(token)' => fn ($lock) => $lock->unlock('x', 'token'),
        'owner()' => fn ($lock) => $lock->owner('x'),
    ];
    foreach ($calls as $call => $act) {
        budget(
            "$kind, $call",
            $timeout - 0.05,
            $timeout,
            function ($prepared) use ($act, &$connected) {
                $connected = false;
                try {
                    return $act($prepared[0]);
                } catch (RedisLockConnectionException $e) {
                    $connected = str_contains($e->getMessage(), 'no answer in time');
                    throw $e;
                }
            },
            fn () => late_server($kind, $late, $timeout),
            function () use (&$connected) {
                return $connected;
            },
        );
        is_so('it had its connection by then', $connected);
    }
}
?>
--EXPECT--
unix, lock(timeout: 0.5): RedisLockConnectionException, in time: yes
it had its connection by then: yes
unix, lock(): RedisLockConnectionException, in time: yes
it had its connection by then: yes
unix, unlock(token): RedisLockConnectionException, in time: yes
it had its connection by then: yes
unix, owner(): RedisLockConnectionException, in time: yes
it had its connection by then: yes
tcp, lock(timeout: 1.5): RedisLockConnectionException, in time: yes
it had its connection by then: yes
tcp, lock(): RedisLockConnectionException, in time: yes
it had its connection by then: yes
tcp, unlock(token): RedisLockConnectionException, in time: yes
it had its connection by then: yes
tcp, owner(): RedisLockConnectionException, in time: yes
it had its connection by then: yes
