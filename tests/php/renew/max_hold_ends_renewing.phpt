--TEST--
max_hold: a lock that is held for longer is no longer renewed, and its lease runs out
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
set_error_handler(function (int $type, string $text) use (&$warning) {
    $warning = $text;
    return true;
});
foreach (['max_hold' => [1.0, '1'], 'the INI setting' => [null, '1']] as $label => [$option, $ini]) {
    ini_set('redislock.max_hold', $label === 'max_hold' ? '3600' : $ini);
    $lock = new RedisLock($server->dsn(), ['max_hold' => $option]);
    $lost = RedisLock::stats()['lost_while_held'];
    $start = hrtime(true);
    $lock->lock('x', expire: lease(0.6), renew: true);
    wait_until(fn () => $lock->remaining('x') === 0.0);
    took_between("$label: seconds until nothing remains", (hrtime(true) - $start) / 1e9, 0.95, 1.05 + lease(0.6));
    took_between("$label: Redis has removed it", seconds_until_gone($redis, 'lock:x'), 0, 0.2);
    echo 'counted as lost: ', RedisLock::stats()['lost_while_held'] - $lost, "\n";
    var_dump($lock->unlock('x'), (new RedisLock($server->dsn()))->lock('x'));
    echo "$warning\n";
}

$lock = new RedisLock($server->dsn(), ['max_hold' => lease(0.5)]);
$e = thrown(fn () => $lock->synchronized('s', fn () => usleep((int) lease(1_200_000)), expire: lease(0.4), renew: true));

foreach ([INF, 'INF', 1e9] as $max_hold) {
    ini_set('redislock.max_hold', '0.3');
    $lock = new RedisLock($server->dsn(), is_string($max_hold) ? ini_set('redislock.max_hold', $max_hold) ? [] : null : ['max_hold' => $max_hold]);
    $lock->lock('y', expire: lease(0.4), renew: true);
    is_so(var_export($max_hold, true) . ': held for longer than 0.3 s', stays($redis, 'lock:y', lease(0.9)));
    var_dump($lock->unlock('y'));
}
?>
--EXPECTF--
max_hold: seconds until nothing remains: yes
max_hold: Redis has removed it: yes
counted as lost: 0
bool(false)
bool(true)
RedisLock: unix://%s: the lock has been held for longer than max_hold (1 s); its lease is no longer renewed (lock "x")
the INI setting: seconds until nothing remains: yes
the INI setting: Redis has removed it: yes
counted as lost: 0
bool(false)
bool(true)
RedisLock: unix://%s: the lock has been held for longer than max_hold (1 s); its lease is no longer renewed (lock "x")
RedisLockLostException: unix://%s: the lock was lost before the section was over: the section took %f s, the lease was %f s, set %f s before its end (lock "s")
INF: held for longer than 0.3 s: yes
bool(true)
'INF': held for longer than 0.3 s: yes
bool(true)
1000000000.0: held for longer than 0.3 s: yes
bool(true)
