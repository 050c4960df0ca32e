--TEST--
Two machines whose workers pass on a lock get on evenly, and never at once
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
$machines = [new Machine($server->dsn()), new Machine($server->dsn())];
$code = '
    $lock = new RedisLock($argv[1]);
    $section = fopen($argv[2], "c");
    $turns = $overlaps = $failures = 0;
    usleep(max(0, (int) (1e6 * $argv[3] - hrtime(true) / 1e3)));
    $until = 1e9 * ($argv[3] + $argv[4]);
    while (hrtime(true) < $until) {
        if (!$lock->lock("x", 20.0)) {
            $failures++;
            continue;
        }
        $overlaps += flock($section, LOCK_EX | LOCK_NB) ? 0 : 1;
        usleep(500);
        flock($section, LOCK_UN);
        $failures += $lock->unlock("x") ? 0 : 1;
        $turns++;
    }
    echo json_encode([$turns, $overlaps, $failures, RedisLock::stats()["passed_on"]]), "\n";
';
$args = [$server->folder() . '/section', now() + slow(0.7), slow(2.0)];
$workers = [];
for ($i = 0; $i < 8; $i++) {
    $workers[] = $machines[$i % 2]->run($code, $args);
}
$said = array_map(fn ($worker) => json_decode(trim($worker->output())) ?? [0, 1, 1, 0], $workers);
[$turns, $overlaps, $failures, $passed] = array_map(null, ...$said);
$of = fn (int $machine) => array_sum(array_filter($turns, fn ($i) => $i % 2 === $machine, ARRAY_FILTER_USE_KEY));
is_safe('never two at once', array_sum($overlaps) === 0, $said);
is_so('none was lost', array_sum($failures) === 0, $said);
is_between('turns of one machine, of all', $of(0) / array_sum($turns), 0.35, 0.65);
is_so('most were passed on', array_sum($passed) > array_sum($turns) / 2, [$passed, $turns]);
print_r(all_keys($redis));
?>
--EXPECT--
never two at once: yes
none was lost: yes
turns of one machine, of all: yes
most were passed on: yes
Array
(
)
