--TEST--
A call that asks twice has one budget for both: attach() with renew, and the release behind a value that was refused
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

const BUDGET = 0.5;

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['connect_timeout' => BUDGET, 'read_timeout' => BUDGET, 'auto_release' => false]);
$lock->lock('warm-up', token: 'job-0');
$lock->detach('warm-up');
$lock->attach('warm-up', 'job-0', renew: true);
$lock->unlock('warm-up');
$lock->remember('warm-up', fn () => 1, 60);

$attach = function () use ($lock) {
    return $lock->attach('a', 'job-1', renew: true);
};
budget('attach()', BUDGET, BUDGET, $attach, function () use ($server, $wire) {
    $wire->delay(0);
    $wire->heal();
    $server->client()->cmd('SET', 'lock:a', 'job-1', 'PX', 60000);
    $wire->silence('EVALSHA', 1);
    $wire->delay(0.12);
});

$number = 0;
for ($try = 1; $try <= 3; $try++) {
    $wire->delay(0);
    $wire->heal();
    held_up_from_now();
    $outcome = outcome(function () use ($lock, $wire, &$built, &$number) {
        return $lock->remember('value' . ++$number, function () use ($wire, &$built) {
            $wire->answer("-OOM command not allowed\r\n", 'EVALSHA');
            $wire->silence('EVALSHA', 1);
            $wire->delay(0.24);
            $built = hrtime(true);
            return 1;
        }, 60);
    });
    $took = (hrtime(true) - $built) / 1e9;
    if ($took <= BUDGET + GRACE + held_up()) {
        break;
    }
}
echo $outcome, "\n";
is_between('s behind the value', $took, BUDGET, BUDGET + GRACE + held_up());
?>
--EXPECT--
attach(): RedisLockConnectionException, in time: yes
RedisLockServerException OOM
s behind the value: yes
