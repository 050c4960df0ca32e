<?php
declare(strict_types=1);

/*
 * 4 jobs of 2 accounts, each longer than its lease, and 4 workers. The first that begins is killed in the middle. SQLite in
 * a temporary folder, and the Redis of redislock.servers or of the first argument. Needs pcntl, posix and pdo_sqlite.
 *
 *     php examples/long-jobs/demo.php [redis://127.0.0.1:6379]
 */

require __DIR__ . '/jobs.php';

const ACCOUNTS = 2, JOBS_EACH = 2, WORKERS = 4, JOB_TAKES = 4.0;

$folder = sys_get_temp_dir() . '/long-jobs-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$open = fn () => new PDO("sqlite:$folder/jobs.db", options: [PDO::ATTR_TIMEOUT => 5]);
$note = fn (string $what, string $account, float $at) => file_put_contents("$folder/log", "$what $account $at\n", FILE_APPEND | LOCK_EX);

$db = $open();
$db->exec('CREATE TABLE jobs (id INTEGER PRIMARY KEY, account TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0)');
for ($i = 0; $i < ACCOUNTS * JOBS_EACH; $i++) {
    $db->exec("INSERT INTO jobs (account) VALUES ('" . basename($folder) . '-' . $i % ACCOUNTS . "')");
}
$db = null; // a connection must not be shared with a fork

$until = microtime(true) + 120;
for ($number = 0; $number < WORKERS; $number++) {
    if (pcntl_fork() === 0) {
        $db = $open();
        $lock = new RedisLock($argv[1] ?? null);
        $do = function (array $job) use ($folder, $note) {
            $note(@mkdir("$folder/$job[account]") ? 'begins' : 'OVERLAPS', $job['account'], microtime(true));
            if (@mkdir("$folder/first")) {
                usleep((int) (1e6 * JOB_TAKES / 2));
                rmdir("$folder/$job[account]");
                $note('dies', $job['account'], microtime(true));
                posix_kill(getmypid(), SIGKILL);
            }
            usleep((int) (1e6 * JOB_TAKES)); // a query, a call of curl: the lease is renewed meanwhile
            rmdir("$folder/$job[account]");
            $note('ends', $job['account'], microtime(true));
        };
        while (microtime(true) < $until && work($db, $lock, $do));
        exit;
    }
}
$killed = 0;
while (pcntl_wait($status) > 0) {
    $killed += (int) pcntl_wifsignaled($status);
}

$events = array_map(fn ($line) => explode(' ', $line), file("$folder/log", FILE_IGNORE_NEW_LINES));
$count = array_count_values(array_column($events, 0)) + ['ends' => 0, 'OVERLAPS' => 0];
$replaced = NAN;
foreach ($events as $i => [$what, $account, $at]) {
    if ($what === 'dies') {
        $next = array_filter(array_slice($events, $i + 1), fn ($event) => $event[0] === 'begins' && $event[1] === $account);
        $replaced = $next === [] ? INF : reset($next)[2] - $at;
    }
}
printf("%d jobs of %.0f s were done with a lease of %.0f s, %d overlapped\n", $count['ends'], JOB_TAKES, LEASE, $count['OVERLAPS']);
printf("%d worker was killed in its job: the next one had the account %.1f s later\n", $killed, $replaced);
array_map(fn ($file) => is_dir($file) ? rmdir($file) : unlink($file), glob("$folder/*"));
rmdir($folder);
exit($count['ends'] === ACCOUNTS * JOBS_EACH && $count['OVERLAPS'] === 0 && $killed === 1 && $replaced < 10 * LEASE ? 0 : 1);
