--TEST--
Valkey 9 moves slots as a whole, under load: no two sections of a name overlap, and no call fails
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_valkey(9);
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/intervals.inc';
require __DIR__ . '/../wait/remote.inc';

/** Takes turns at the names, and tells at the end each section's name, begin and end, and what failed. */
const WORK = <<<'PHP'
    $lock = new RedisLock($argv[1], ['renew' => true]);
    $names = explode(' ', $argv[2]);
    $said = '';
    for ($until = microtime(true) + (float) $argv[3], $i = getmypid(); microtime(true) < $until; $i++) {
        $name = $names[$i % count($names)];
        try {
            $lock->synchronized($name, function () use ($lock, $name, &$said) {
                $from = hrtime(true);
                $until = $from + (int) (1e9 * $lock->remaining($name));
                usleep(500);
                $to = hrtime(true);
                $said .= "$name $from " . ($lock->remaining($name) > 0 ? $to : min($to, $until)) . "\n"; // what it believes in
            }, 10.0, 5.0);
        } catch (Throwable $e) {
            $said .= 'FAILED ' . get_class($e) . ': ' . str_replace("\n", ' ', $e->getMessage()) . "\n";
        }
    }
    echo $said;
    PHP;

/** Moves these slots to a master, and waits until all know. */
function move(Cluster $cluster, int $first, int $last, RedisServer $from, RedisServer $to): bool
{
    $from->client()->cmd('CLUSTER', 'MIGRATESLOTS', 'SLOTSRANGE', $first, $last, 'NODE', $cluster->idOf($to));
    return wait_until(fn () => $cluster->ownerOf($first) === $to && $cluster->ownerOf($last) === $to, 20.0);
}

$cluster = Cluster::start(masters: 3, replicas: 0);
[$one, $two] = $cluster->masters();
$names = array_map(fn ($n) => $cluster->nameOn($one, nth: $n), range(0, 5));
$slots = array_map(fn ($name) => Cluster::slot("lock:$name"), $names);
$workers = array_map(fn () => Worker::start(WORK, [$cluster->dsn(), implode(' ', $names), 6]), range(1, 4));
usleep(300_000);
$moves = $moved = 0;
for ($until = microtime(true) + 5; microtime(true) < $until; $moves++) {
    [$from, $to] = $moves % 2 ? [$two, $one] : [$one, $two];
    $moved += move($cluster, min($slots), max($slots), $from, $to) ? 1 : 0;
}
is_so('slots were moved', $moved > 1 && $moved === $moves, "$moved of $moves");

$sections = $failed = [];
foreach ($workers as $worker) {
    foreach (explode("\n", trim($worker->output())) as $line) {
        $words = explode(' ', $line, 3);
        if ($words[0] === 'FAILED' || count($words) < 3) {
            $failed[] = $line;
        } else {
            $sections[$words[0]][] = [(int) $words[1], (int) $words[2]];
        }
    }
}
$count = array_sum(array_map(count(...), $sections));
tell_numbers("$moved moves, $count sections, " . count($failed) . ' failed');
is_so('sections of all names', count($sections) === count($names) && $count > 100, $count);
is_safe('none overlaps', array_sum(array_map(fn ($of) => count(overlapping($of)), $sections)) === 0);
is_so('none failed', $failed === [], $failed[0] ?? '');
?>
--EXPECT--
slots were moved: yes
sections of all names: yes
none overlaps: yes
none failed: yes
