--TEST--
16 processes that contend for one name: never two at once, and each gets its share
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$section = $server->folder() . '/section';
$start = now() + 1.5; // all of them are up by then
$seconds = getenv('REDISLOCK_TEST_LONG') ? 60 : 10;
$printed = Worker::runMany(16, <<<'PHP'
    $lock = new RedisLock($argv[1]);
    $section = fopen($argv[2], 'c');
    $now = fn () => hrtime(true) / 1e9;
    $sections = $overlaps = $failures = 0;
    $latest = $stalled = -1.0; // JSON has no -INF
    while (($left = $argv[3] - $now()) > 0) {
        usleep((int) ceil($left * 1e6));
    }
    while (($began = $now()) < $argv[3] + $argv[4]) {
        // A quarter of the waits is shorter than the line is long.
        $timeout = random_int(1, 4) === 1 ? random_int(1, 30) / 1000 : 5.0;
        try {
            $got = $lock->lock('x', $timeout);
        } catch (RedisLockConnectionException $e) {
            // A machine that is too busy to answer within so few milliseconds is no "held".
            $got = $timeout < 1 && preg_match('/: (no answer|the connection was not made) in time /', $e->getMessage()) ? false : throw $e;
        }
        if (!$got) {
            $failures += $timeout === 5.0 ? 1 : 0;
            $latest = max($latest, $now() - $began - $timeout);
            continue;
        }
        if (flock($section, LOCK_EX | LOCK_NB)) {
            $began = $now();
            usleep($us = random_int(100, 2000));
            $stalled = max($stalled, $now() - $began - $us / 1e6);
            flock($section, LOCK_UN);
        } else {
            $overlaps++;
        }
        $failures += $lock->unlock('x') ? 0 : 1;
        $sections++;
    }
    echo json_encode([$sections, $overlaps, $failures, $latest, $stalled]);
    PHP, [$server->dsn(), $section, $start, $seconds], $seconds + 8.0);

$results = array_map('json_decode', $printed);
is_so('all ran to their end', !in_array(null, $results, true), $printed);
[$sections, $overlaps, $failures, $late, $stalled] = array_map(null, ...$results);
is_between('sections', array_sum($sections), 1000, PHP_INT_MAX);
is_safe('never two at once', array_sum($overlaps) === 0, array_sum($overlaps));
is_so('never lost, never passed over for 5 s', array_sum($failures) === 0, $failures);
$jain = array_sum($sections) ** 2 / (count($sections) * array_sum(array_map(fn ($n) => $n * $n, $sections)));
is_between("Jain's index of the sections", $jain, 0.98, 1.0);
// What a busy machine took from a process that only slept, it may take from one that waits.
ms_between('ms past a timeout, the worst of all', max($late) * 1000, -1, 50 + max($stalled) * 1000);
print_r(all_keys($server->client()));
tell_numbers(sprintf('16 processes: %d sections, %d overlaps', array_sum($sections), array_sum($overlaps)));
?>
--EXPECT--
all ran to their end: yes
sections: yes
never two at once: yes
never lost, never passed over for 5 s: yes
Jain's index of the sections: yes
ms past a timeout, the worst of all: yes
Array
(
)
