--TEST--
The argument renew goes over the option, in each method and by its place or name; null, or none, is the option
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

const LEASE = 0.6;

$server = RedisServer::start();
/** Is the lock renewed that this takes? It releases all of them. */
function is_renewed(RedisLock $lock, callable $take): string
{
    $before = renewed();
    if ($take($lock) === false) {
        return 'NOT TAKEN';
    }
    $lock->held() && wait_until(fn () => renewed() > $before, LEASE / 2);
    $lock->unlockAll();
    return renewed() > $before ? 'yes' : 'no';
}
$section = fn () => usleep((int) (LEASE / 2 * 1e6));
foreach ([true, false] as $option) {
    $lock = new RedisLock($server->dsn(), ['expire' => LEASE, 'renew' => $option]);
    $ways = [
        'lock' => fn ($lock) => $lock->lock('x'),
        'lockAll' => fn ($lock) => $lock->lockAll(['x', 'y']),
        'synchronized' => fn ($lock) => $lock->synchronized('x', $section),
        'lock, null' => fn ($lock) => $lock->lock('x', 0, null, null, null),
        'lock, the other' => fn ($lock) => $lock->lock('x', 0, null, null, !$option),
        'lock, the other by its name' => fn ($lock) => $lock->lock('x', renew: !$option),
        'lockAll, the other' => fn ($lock) => $lock->lockAll(['x', 'y'], 0, null, !$option),
        'synchronized, the other' => fn ($lock) => $lock->synchronized('x', $section, 0, null, !$option),
        'attach' => fn ($lock) => foreign_lock($server->client(), 'lock:a', 'token') && $lock->attach('a', 'token'),
        'attach, the other' => fn ($lock) => foreign_lock($server->client(), 'lock:a', 'token') && $lock->attach('a', 'token', !$option),
    ];
    foreach ($ways as $label => $take) {
        echo 'option ', var_export($option, true), ", $label: ", is_renewed($lock, $take), "\n";
    }
}
?>
--EXPECT--
option true, lock: yes
option true, lockAll: yes
option true, synchronized: yes
option true, lock, null: yes
option true, lock, the other: no
option true, lock, the other by its name: no
option true, lockAll, the other: no
option true, synchronized, the other: no
option true, attach: yes
option true, attach, the other: no
option false, lock: no
option false, lockAll: no
option false, synchronized: no
option false, lock, null: no
option false, lock, the other: yes
option false, lock, the other by its name: yes
option false, lockAll, the other: yes
option false, synchronized, the other: yes
option false, attach: no
option false, attach, the other: yes
