--TEST--
However an object gives up a lock that was renewed, nothing more is sent for it when the call has returned
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

const LEASE = 0.4;

$server = RedisServer::start();
$redis = $server->client();
function taken(array $options = []): RedisLock
{
    $lock = new RedisLock($GLOBALS['server']->dsn(), ['expire' => LEASE, 'renew' => true] + $options);
    $lock->lock('x');
    await_renewed();
    return $lock;
}
$ways = [
    'unlock' => fn () => taken()->unlock('x'),
    'unlock with the token' => function () {
        $lock = taken(['auto_release' => false]);
        $lock->unlock('x', $lock->token('x'));
    },
    'unlockAll' => fn () => taken()->unlockAll(),
    'forceUnlock' => fn () => taken()->forceUnlock('x'),
    'synchronized' => fn () => taken()->synchronized('s', fn () => await_renewed()),
    'synchronized that throws' => function () {
        try {
            taken()->synchronized('s', fn () => throw new LogicException('thrown'));
        } catch (LogicException) {
        }
    },
    'detach' => fn () => taken()->detach('x'),
    'the object is gone' => fn () => taken(),
    'the object is gone, auto_release "request"' => fn () => taken(['auto_release' => 'request']),
    'the object is gone, auto_release false' => fn () => taken(['auto_release' => false]),
];
foreach ($ways as $label => $way) {
    $way();
    $free = all_keys($redis) === [];
    echo "$label: ", is_quiet($redis, LEASE) ? 'quiet' : 'STILL RENEWED', ', ', $free ? 'free' : 'held until the lease ends', "\n";
    is_so('and free', seconds_until_gone($redis, 'lock:x', LEASE) < LEASE);
}
?>
--EXPECT--
unlock: quiet, free
and free: yes
unlock with the token: quiet, free
and free: yes
unlockAll: quiet, free
and free: yes
forceUnlock: quiet, free
and free: yes
synchronized: quiet, free
and free: yes
synchronized that throws: quiet, free
and free: yes
detach: quiet, held until the lease ends
and free: yes
the object is gone: quiet, free
and free: yes
the object is gone, auto_release "request": quiet, held until the lease ends
and free: yes
the object is gone, auto_release false: quiet, held until the lease ends
and free: yes
