--TEST--
Random code of try, finally, destructors, generators and fibers, with locks taken at any place: no notice breaks off what has to end, and each comes where it can
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
// The same programs each time; with REDISLOCK_TEST_LONG=1 in the environment, a minute of new ones. REDISLOCK_TEST_SEEDS=7,12
// runs these.
require __DIR__ . '/on_loss.inc';

const CODE = <<<'PHP'
    require dirname(INC) . '/random_code.inc';

    $witnesses = []; // what a program leaves behind may need its own until the end
    $result = ['wrong' => [], 'missed' => [], 'seen' => []];
    foreach (explode(',', $argv[2]) as $seed) {
        $file = dirname(__FILE__) . "/$seed.php";
        file_put_contents($file, RandomCode::of((int) $seed));
        $program = require $file;
        $witnesses[] = $witness = new Witness(new RedisLock($argv[1], ['on_loss' => 'throw', 'prefix' => "$seed:"]));
        mt_srand((int) $seed);
        $witness->run($program);
        foreach (['wrong', 'missed'] as $kind) {
            array_push($result[$kind], ...array_map(fn ($text) => "seed $seed: $text", $witness->$kind));
        }
        foreach ($witness->seen as $what => $count) {
            $result['seen'][$what] = ($result['seen'][$what] ?? 0) + $count;
        }
    }
    echo json_encode($result), "\n";
    PHP;
/** Seeds of programs that were once judged wrongly, or in which PHP itself went wrong. */
const FOUND = [407764237, 565757641, 664011865, 682358322];
const MODES = [
    'no JIT' => ['opcache.jit_buffer_size=0'],
    'tracing JIT' => ['opcache.jit_buffer_size=32M', 'opcache.jit=tracing', 'opcache.jit_hot_loop=2', 'opcache.jit_hot_func=2', 'opcache.jit_hot_return=2', 'opcache.jit_hot_side_exit=2'],
    // That of PHP 8.4 forgets a variable of the loop that an exception breaks off, also if a signal handler throws it.
    'function JIT' => PHP_VERSION_ID < 80400 ? ['opcache.jit_buffer_size=32M', 'opcache.jit=function'] : ['opcache.jit_buffer_size=0'],
];

/**
 * Runs programs, and adds what came of them. What they leave behind is destroyed at the end of the script, where nobody catches
 * what it throws: hence the status 255.
 */
function run_programs(RedisServer $server, string $mode, array $seeds, array &$wrong, array &$missed, array &$seen): void
{
    $run = run_script(CODE, [$server->dsn(), implode(',', $seeds)], opcache_options(...MODES[$mode]));
    $result = json_decode(strtok($run->out, "\n"), true);
    if (!in_array($run->status, [0, 255], true) || $result === null) {
        $wrong[] = "$mode, seeds " . implode(',', $seeds) . ": status $run->status, $run->out";
        return;
    }
    array_push($wrong, ...array_map(fn ($text) => "$mode, $text", $result['wrong']));
    array_push($missed, ...array_map(fn ($text) => "$mode, $text", $result['missed']));
    foreach ($result['seen'] as $what => $count) {
        $seen[$what] = ($seen[$what] ?? 0) + $count;
    }
}

$server = RedisServer::start();
$wrong = $missed = $seen = [];
$programs = 0;
$until = microtime(true) + 60;
$named = getenv('REDISLOCK_TEST_SEEDS') ? explode(',', getenv('REDISLOCK_TEST_SEEDS')) : null;
do {
    foreach (array_keys(MODES) as $i => $mode) {
        $seeds = $named ?? (getenv('REDISLOCK_TEST_LONG') ? array_map(fn () => random_int(1, 1 << 30), range(1, 20)) : [...range(20 * $i + 1, 20 * $i + 20), ...FOUND]);
        run_programs($server, $mode, $seeds, $wrong, $missed, $seen);
        $programs += count($seeds);
    }
} while (getenv('REDISLOCK_TEST_LONG') && $named === null && microtime(true) < $until);

is_safe('nothing is wrong', $wrong === [], $wrong);
is_so('nothing is missed', $missed === [], $missed);
foreach ($seen as $what => $count) {
    is_between($what, $count, 1, INF);
}
tell_numbers("programs: $programs; " . implode(', ', array_map(fn ($what, $count) => "$what: $count", array_keys($seen), $seen)));
?>
--EXPECT--
nothing is wrong: yes
nothing is missed: yes
losses: yes
losses within a part: yes
held back: yes
