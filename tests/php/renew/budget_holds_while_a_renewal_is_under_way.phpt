--TEST--
Where a renewal is under way to a Redis that hangs, a call waits for it within its own time budget, and detach() not at all
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the bounds are for a PHP at full speed');
?>
--FILE--
<?php
require __DIR__ . '/../budget/faults.inc';

const BUDGET = 0.3;

$server = RedisServer::start();
$redis = $server->client();

/** An object with so many renewed locks, whose renewal is under way to the server, which has just been stopped. */
function renewing(RedisServer $server, array $names, bool $auto_release = true): RedisLock
{
    $server->resume();
    $server->client()->cmd('FLUSHALL');
    $lock = new RedisLock($server->dsn(), ['renew' => true, 'expire' => 0.9, 'auto_release' => $auto_release, 'connect_timeout' => BUDGET, 'read_timeout' => BUDGET]);
    $lock->lockAll($names, timeout: 5);
    usleep(200_000);
    $server->pause();
    usleep(150_000); // the renewal was due after 0.3 s
    return $lock;
}

set_error_handler(fn () => true); // the end of an object warns
$many = array_map(fn ($i) => "x$i", range(1, 30));
$calls = [
    'unlock()' => [fn ($lock) => $lock->unlock('x1'), ['x1']],
    'unlockAll() of 30' => [fn ($lock) => $lock->unlockAll(), $many],
    'expire()' => [fn ($lock) => $lock->expire('x1', 5), ['x1']],
    'forceUnlock()' => [fn ($lock) => $lock->forceUnlock('x1'), ['x1']],
];
foreach ($calls as $label => [$call, $names]) {
    budget($label, BUDGET, BUDGET, $call, fn () => renewing($server, $names));
}
foreach ([[['x1'], true, BUDGET], [$many, true, BUDGET], [$many, false, 0]] as [$names, $auto_release, $most]) {
    $label = 'the end of an object with ' . count($names) . ($auto_release ? '' : ', which releases nothing');
    $end = function () use (&$lock) {
        $lock = null;
    };
    budget($label, $most, $most, $end, function () use (&$lock, $server, $names, $auto_release) {
        $lock = renewing($server, $names, $auto_release);
    });
}
budget('detach() of 30', 0, 0, fn ($lock) => count(array_filter($many, fn ($name) => $lock->detach($name) !== null)), fn () => renewing($server, $many));
$server->resume();

echo "a renewal that detach() left under way is doubted, as one whose answer was lost: ";
$lock = renewing($server, ['x1']);
$token = $lock->detach('x1');
$server->resume();
$lock->attach('x1', $token);
$lock->expire('x1', 1);
echo $redis->cmd('EXISTS', '{lock:x1}:rl:note'), ' note, ';
var_dump($lock->unlock('x1'), all_keys($redis));
?>
--EXPECT--
unlock(): RedisLockConnectionException, in time: yes
unlockAll() of 30: RedisLockConnectionException, in time: yes
expire(): RedisLockConnectionException, in time: yes
forceUnlock(): RedisLockConnectionException, in time: yes
the end of an object with 1: NULL, in time: yes
the end of an object with 30: NULL, in time: yes
the end of an object with 30, which releases nothing: NULL, in time: yes
detach() of 30: 30, in time: yes
a renewal that detach() left under way is doubted, as one whose answer was lost: 1 note, bool(true)
array(0) {
}
