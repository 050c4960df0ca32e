--TEST--
16 processes that take random triples of 10 names in random order: no deadlock, no overlap, nothing kept after a false
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
// REDISLOCK_TEST_SECONDS=30 for a long run.
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$seconds = (float) (getenv('REDISLOCK_TEST_SECONDS') ?: 2);
$printed = Worker::runMany(16, <<<'PHP'
    $lock = new RedisLock($argv[1]);
    $files = [];
    foreach (range(0, 9) as $name) {
        $files[$name] = fopen("$argv[2]/section$name", 'c');
    }
    $had = $false = $kept = $overlaps = $lost = $stuck = 0;
    for ($end = microtime(true) + $argv[3]; microtime(true) < $end;) {
        $names = array_rand($files, 3);
        shuffle($names);
        $timeout = [0.0, random_int(20, 80) / 1000, 20.0][random_int(0, 2)];
        try {
            $got = $lock->lockAll(array_map(strval(...), $names), $timeout);
        } catch (RedisLockConnectionException $e) {
            // On a busy machine, no answer within milliseconds; nothing may be kept then either.
            $got = $timeout === 20.0 ? throw $e : false;
        }
        if (!$got) {
            $false++;
            $stuck += $timeout === 20.0;
            $kept += count($lock->held());
            continue;
        }
        $had++;
        foreach ($names as $name) {
            $overlaps += flock($files[$name], LOCK_EX | LOCK_NB) ? 0 : 1;
        }
        usleep(random_int(0, 2000));
        foreach ($names as $name) {
            flock($files[$name], LOCK_UN);
        }
        $lost += $lock->unlockAll() ? 0 : 1;
    }
    echo json_encode([$had, $false, $kept, $overlaps, $lost, $stuck]);
    PHP, [$server->dsn(), $server->folder(), $seconds], $seconds + 60);

$results = array_map('json_decode', $printed);
is_so('all ran to their end', !in_array(null, $results, true), $printed);
[$had, $false, $kept, $overlaps, $lost, $stuck] = array_map(array_sum(...), array_map(null, ...$results));
is_so('some were had', $had > 100, $had);
is_so('some were not', $false > 10, $false);
is_so('nothing kept after a false', $kept === 0, $kept);
is_safe('no overlap', $overlaps === 0, $overlaps);
is_so('none lost', $lost === 0, $lost);
is_so('nobody waited in vain for 20 s', $stuck === 0, $stuck);
print_r(all_keys($server->client()));
tell_numbers("triples: $had had, $false not, $overlaps overlaps, $lost lost");
?>
--EXPECT--
all ran to their end: yes
some were had: yes
some were not: yes
nothing kept after a false: yes
no overlap: yes
none lost: yes
nobody waited in vain for 20 s: yes
Array
(
)
