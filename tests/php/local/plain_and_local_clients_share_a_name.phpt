--TEST--
Workers that pass a lock on, and clients that do not: never two at once, and both get on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$code = '
    $lock = new RedisLock($argv[1], ["local" => (bool) $argv[2]]);
    $section = fopen($argv[3], "c");
    $turns = $overlaps = $failures = 0;
    $longest = 0.0;
    $until = hrtime(true) + (int) (1e9 * $argv[4]);
    while (hrtime(true) < $until) {
        $began = hrtime(true);
        if (!$lock->lock("x", 20.0)) {
            $failures++;
            continue;
        }
        $longest = max($longest, (hrtime(true) - $began) / 1e9);
        $overlaps += flock($section, LOCK_EX | LOCK_NB) ? 0 : 1;
        usleep(random_int(100, 1000));
        flock($section, LOCK_UN);
        $failures += $lock->unlock("x") ? 0 : 1;
        $turns++;
    }
    echo json_encode([$turns, $overlaps, $failures, $longest, RedisLock::stats()["passed_on"]]), "\n";
';
$args = fn (int $local) => [$local, $server->folder() . '/section', slow(2.5)];
$workers = [];
for ($i = 0; $i < 3; $i++) {
    $workers["local $i"] = $machine->run($code, $args(1));
    $workers["plain $i"] = $machine->run($code, $args(0));
}
$said = array_map(fn ($worker) => json_decode(trim($worker->output())) ?? [0, 1, 1, INF, 0], $workers);
is_safe('never two at once', array_sum(array_column($said, 1)) === 0, $said);
is_so('none was lost', array_sum(array_column($said, 2)) === 0, $said);
is_between('turns of the one with fewest, of the mean', min(array_column($said, 0)) / array_sum(array_column($said, 0)) * count($said), 0.3, 1.0);
took_between('the longest wait, in seconds', max(array_column($said, 3)), 0.0, 0.5);
is_so('some were passed on', array_sum(array_column($said, 4)) > 0, $said);
print_r(all_keys($redis));
?>
--EXPECT--
never two at once: yes
none was lost: yes
turns of the one with fewest, of the mean: yes
the longest wait, in seconds: yes
some were passed on: yes
Array
(
)
