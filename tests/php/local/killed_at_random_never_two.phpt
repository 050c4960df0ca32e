--TEST--
Workers that pass a lock on are killed at random, mostly those that hold: nobody has the lock before the lease of the dead is over, and on it goes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('a process takes longer to begin than it lives');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../inc/intervals.inc';

const PROCESSES = 8;
const CODE = <<<'PHP'
    $now = fn () => hrtime(true) / 1e9;
    $lock = new RedisLock($argv[1], ['expire' => 0.5]);
    $log = fopen($argv[2], 'a');
    while (!file_exists($argv[3])) {
        if (!$lock->lock('x', 20.0)) {
            echo "not in time\n";
            continue;
        }
        // Until then nobody else may have it, whatever becomes of this process.
        $left = $lock->remaining('x');
        $got = $now();
        fwrite($log, json_encode([$got, $got + $left]) . "\n");
        file_put_contents($argv[4], $argv[5]);
        usleep(random_int(500, 5000));
        fwrite($log, json_encode($now()) . "\n");
        $lock->unlock('x');
    }
    fwrite($log, json_encode(['passed on' => RedisLock::stats()['passed_on']]) . "\n");
    echo "done\n";
    PHP;

$server = RedisServer::start();
$machine = new Machine($server->dsn());
$folder = $server->folder();
$logs = 0;
$start = function ($i) use ($machine, $folder, &$logs) {
    return $machine->run(CODE, ["$folder/log" . $logs++, "$folder/stop", "$folder/holder", $i]);
};
$workers = array_map($start, range(0, PROCESSES - 1));
wait_until(fn () => count(glob("$folder/log*")) === PROCESSES && file_exists("$folder/holder"), 20.0);

$killed = 0;
for ($began = now(), $until = $began + (getenv('REDISLOCK_TEST_LONG') ? 60.0 : 4.0); now() < $until; $killed++) {
    usleep(150000);
    $victim = $killed % 2 ? (int) file_get_contents("$folder/holder") : random_int(0, PROCESSES - 1);
    $workers[$victim]->signal('KILL');
    $workers[$victim] = $start($victim);
}
touch("$folder/stop");
$printed = array_map(fn ($worker) => $worker->output(30.0), $workers);
is_so('all others ran to their end', array_unique($printed) === ["done\n"], $printed);

$leases = [];
$died = $passed = 0;
foreach (glob("$folder/log*") as $log) {
    $lines = array_map(fn ($line) => json_decode($line, true), file($log));
    foreach ($lines as $i => $line) {
        if (isset($line['passed on'])) {
            $passed += $line['passed on'];
        } elseif (is_array($line)) {
            $next = $lines[$i + 1] ?? null;
            $died += $next === null ? 1 : 0;
            $leases[] = [$line[0], min($line[1], $next ?? $line[1])];
        }
    }
}
$overlaps = overlapping($leases);
is_safe('never two at once', $overlaps === [], $overlaps);
is_between('killed with the lock', $died, 1, $killed);
is_so('some were passed on', $passed > 0, $passed);
$times = [$began, ...array_filter(array_column($leases, 0), fn ($time) => $time > $began && $time < $until), $until];
sort($times);
$gap = max(array_map(fn ($i) => $times[$i] - $times[$i - 1], range(1, count($times) - 1)));
took_between('the longest time in which nobody got it', $gap, 0.0, 3.0);
tell_numbers(sprintf('local turns, processes killed: %d, %d of them with the lock; %d sections, %d overlaps, at most %.2f s without one', $killed, $died, count($leases), count($overlaps), $gap));
?>
--EXPECT--
all others ran to their end: yes
never two at once: yes
killed with the lock: yes
some were passed on: yes
the longest time in which nobody got it: yes
