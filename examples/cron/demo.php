<?php
declare(strict_types=1);

/*
 * 8 hosts with the same crontab, whose clocks differ, and three nightly reports. The first goes well. In the second the
 * host that begins finds the database down, in the third it loses its power. And every host clears the carts at every tick,
 * but no two at once. All on the Redis of redislock.servers or of the first argument. Needs pcntl and posix.
 *
 *     php examples/cron/demo.php [redis://127.0.0.1:6379]
 */

require __DIR__ . '/once.php';

const HOSTS = 8, TICKS = 6, TICK = 0.25, CLOCKS_DIFFER = 0.1, AT_MOST = 0.5;
const NIGHTS = ['calm', 'database down', 'power failure'];

$folder = sys_get_temp_dir() . '/cron-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$run = basename($folder);
$note = fn (string $line) => file_put_contents("$folder/log", "$line\n", FILE_APPEND | LOCK_EX);
/** True for one of all processes. */
$first = fn (string $what): bool => (bool) @mkdir("$folder/$what");

/** What crontab starts on one host at one tick. */
$tick = function (int $host) use ($argv, $run, $folder, $note, $first): void {
    $guard = new RedisLock($argv[1] ?? null, ['auto_release' => false]);
    foreach (NIGHTS as $night) {
        try {
            once($guard, "$run:report:$night", function () use ($night, $host, $note, $first) {
                $note("begun: $night");
                if ($night === 'database down' && $first('refused')) {
                    throw new RuntimeException('the database is down');
                }
                if ($night === 'power failure' && $first('killed')) {
                    posix_kill(getmypid(), SIGKILL);
                }
                $note("done: $night");
            }, AT_MOST, 30);
        } catch (RuntimeException) {
            $note("failed: $night");
        }
    }
    alone(new RedisLock($argv[1] ?? null), "$run:carts", function () use ($folder, $note) {
        $note(mkdir("$folder/inside") ? 'carts' : 'OVERLAP');
        usleep(20_000);
        rmdir("$folder/inside");
    }, 30);
};

$began = microtime(true);
for ($number = 0; $number < TICKS; $number++) {
    for ($host = 0; $host < HOSTS; $host++) {
        if (pcntl_fork() === 0) {
            usleep(max(0, (int) (1e6 * ($began + $number * TICK + $host / HOSTS * CLOCKS_DIFFER - microtime(true)))));
            $tick($host);
            exit;
        }
    }
}
while (pcntl_wait($status) > 0);

$log = array_count_values(file("$folder/log", FILE_IGNORE_NEW_LINES));
ksort($log);
foreach ($log as $line => $times) {
    echo "$line: $times\n";
}
$guard = new RedisLock($argv[1] ?? null);
array_map(fn ($night) => $guard->forceUnlock("$run:report:$night"), NIGHTS);
array_map(fn ($file) => is_dir($file) ? rmdir($file) : unlink($file), glob("$folder/*"));
rmdir($folder);
unset($log['carts']);
exit($log === [
    'begun: calm' => 1, 'begun: database down' => 2, 'begun: power failure' => 2,
    'done: calm' => 1, 'done: database down' => 1, 'done: power failure' => 1,
    'failed: database down' => 1,
] ? 0 : 1);
