--TEST--
lockAll() and remember() wait in the line of Redis, also while other workers stand in line here, and all get on
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
$machine = new Machine($server->dsn());

$workers = $machine->workers(6);
$machine->warmUp($workers);
[$holder, $all, $first, $second, $builder, $reader] = $workers;
$holder->call('lock', 'x');
$machine->lineUp([$first], 'x', PATIENCE, 0.01);
$all->begin('run', '
    $got = $lock->lockAll(["x", "y"], 10.0);
    $from = $now();
    usleep(10000);
    $until = $now();
    return ["got" => $got, "from" => $from, "until" => $until, "released" => $lock->unlockAll()];
');
await_blocked($redis, 1);
$machine->lineUp([$second], 'x', PATIENCE, 0.01);
var_dump($holder->call('unlock', 'x'));
$turns = array_map(fn ($worker) => $worker->answer()['result'], [$first, $second, $all]);
is_so('each had its turn', !array_filter($turns, fn ($turn) => !$turn['got'] || !$turn['released']), $turns);
is_safe('one after another', overlaps($turns) === 0, $turns);

$builder->begin('run', 'return $lock->remember("v", fn () => usleep(300000) ?? "built", 10.0);');
wait_until(fn () => count(all_keys($redis)) > 0);
$reader->begin('run', 'return $lock->remember("v", fn () => "BUILT AGAIN", 10.0);');
var_dump($builder->answer()['result'], $reader->answer()['result']);
print_r(our_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
one after another: yes
string(5) "built"
string(5) "built"
Array
(
    [0] => {lock:v}:rl:value
)
