--TEST--
A worker that the lock is passed on to begins before Redis has answered, and counts on what is left of the last lease until then
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);
$machine = new Machine($wire->dsn(), ['read_timeout' => 20.0]);
$workers = $machine->workers(2);
$machine->warmUp($workers);
[$holder, $heir] = $workers;

foreach (['a longer lease' => [20.0, 30.0], 'a shorter one' => [20.0, 10.0]] as $label => [$first, $second]) {
    echo "$label\n";
    $holder->call('lock', 'x', 0.0, $first);
    $machine->lineUpFor([$heir], 'run', '
        $got = $lock->lock("x", 10.0, ' . $second . ');
        $began = $now();
        $remaining = $lock->remaining("x");
        return [$got, $began, $remaining, $lock->isLocking("x"), $now(), $lock->remaining("x")];
    ');
    $wire->delay(0.3);
    $holder->begin('unlock', 'x');
    [$got, $began, $at_first, $is_locking, $answered, $then] = $heir->answer()['result'];
    $unlocked = $holder->answer();
    $wire->delay(0.0);
    var_dump($got, $unlocked['result'], $is_locking);
    took_between('seconds until it began', $began - $unlocked['began'], 0.0, 0.2);
    is_so('before the answer', $began < $unlocked['ended'] && $answered > $unlocked['ended'] - 0.05, [$began, $unlocked, $answered]);
    is_between('at first, seconds that remain', $at_first, min($first, $second) / 2, min($first, $second));
    is_between('then', $then, $second - 5.0, $second);
    is_between('in Redis', $redis->cmd('PTTL', 'lock:x') / 1000, $then - 1.0, $second);
    var_dump($heir->call('unlock', 'x'));
}
is_so('two were passed on', passed_on($workers) === 3, passed_on($workers));
?>
--EXPECT--
a longer lease
bool(true)
bool(true)
bool(true)
seconds until it began: yes
before the answer: yes
at first, seconds that remain: yes
then: yes
in Redis: yes
bool(true)
a shorter one
bool(true)
bool(true)
bool(true)
seconds until it began: yes
before the answer: yes
at first, seconds that remain: yes
then: yes
in Redis: yes
bool(true)
two were passed on: yes
