--TEST--
16 processes that contend are killed at random, mostly those that hold: nobody has the lock before the lease of the dead is over, and on it goes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('a process takes longer to begin than it lives');
?>
--FILE--
<?php
// Some seconds; with REDISLOCK_TEST_LONG=1 in the environment, a minute.
require __DIR__ . '/../restart/contend.inc';

const PROCESSES = 16;
const CODE = <<<'PHP'
    $now = fn () => hrtime(true) / 1e9;
    $lock = new RedisLock($argv[1], ['expire' => 0.5]);
    $log = fopen($argv[2], 'a');
    while (!file_exists($argv[3])) {
        if (!$lock->lock('x', 20.0)) {
            echo "not in time\n";
            continue;
        }
        $got = $now();
        // Until then nobody else may have it, whatever becomes of this process.
        fwrite($log, json_encode([$got, $got + $lock->remaining('x')]) . "\n");
        file_put_contents($argv[4], $argv[5]);
        usleep(random_int(1, 50) === 1 ? 300000 : random_int(500, 5000));
        fwrite($log, json_encode($now()) . "\n");
        $lock->unlock('x');
    }
    echo "done\n";
    PHP;

$server = RedisServer::start();
$folder = $server->folder();
$logs = 0;
$start = function ($i) use ($server, $folder, &$logs) {
    return Worker::start(CODE, [$server->dsn(), "$folder/log" . $logs++, "$folder/stop", "$folder/holder", $i]);
};
$workers = array_map($start, range(0, PROCESSES - 1));
wait_until(fn () => count(glob("$folder/log*")) === PROCESSES && file_exists("$folder/holder"), 20.0);

$killed = 0;
for ($began = now(), $until = $began + (getenv('REDISLOCK_TEST_LONG') ? 60.0 : 6.0); now() < $until; $killed++) {
    usleep(100000);
    $victim = $killed % 2 ? (int) file_get_contents("$folder/holder") : random_int(0, PROCESSES - 1);
    $workers[$victim]->signal('KILL');
    $workers[$victim] = $start($victim);
}
touch("$folder/stop");
$printed = array_map(fn ($worker) => $worker->output(30.0), $workers);
is_so('all others ran to their end', array_unique($printed) === ["done\n"], $printed);

$leases = [];
$died = 0;
foreach (glob("$folder/log*") as $log) {
    $lines = array_map('json_decode', file($log));
    foreach (array_keys(array_filter($lines, 'is_array')) as $i) {
        [$got, $end] = $lines[$i];
        $died += isset($lines[$i + 1]) ? 0 : 1;
        $leases[] = [$got, min($end, $lines[$i + 1] ?? $end)];
    }
}
$overlaps = count(overlapping($leases));
is_safe('never two at once', $overlaps === 0, $overlaps);
is_between('killed with the lock', $died, 1, $killed);
$times = [$began, ...array_filter(array_column($leases, 0), fn ($time) => $time > $began && $time < $until), $until];
sort($times);
$gap = max(array_map(fn ($i) => $times[$i] - $times[$i - 1], range(1, count($times) - 1)));
is_between('the longest time in which nobody got it', $gap, 0.0, 5.0);
$redis = $server->client();
wait_until(fn () => all_keys($redis) === []);
is_so('no key is left', all_keys($redis) === [], all_keys($redis));
tell_numbers(sprintf('processes killed: %d, %d of them with the lock; %d sections, %d overlaps, at most %.2f s without one', $killed, $died, count($leases), $overlaps, $gap));
?>
--EXPECT--
all others ran to their end: yes
never two at once: yes
killed with the lock: yes
the longest time in which nobody got it: yes
no key is left: yes
