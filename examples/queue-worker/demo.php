<?php
declare(strict_types=1);

/*
 * 60 imports of 4 customers and 4 workers, of which one is killed in the middle of an import, and one is asked to end.
 * SQLite in a temporary folder, and the Redis of redislock.servers or of the first argument. Needs pcntl, posix and
 * pdo_sqlite.
 *
 *     php examples/queue-worker/demo.php [redis://127.0.0.1:6379]
 */

require __DIR__ . '/jobs.php';

const CUSTOMERS = 4, JOBS_EACH = 15, WORKERS = 4, LONGEST_HERE = 5.0;

$folder = sys_get_temp_dir() . '/queue-worker-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$open = fn () => new PDO("sqlite:$folder/shop.db", options: [PDO::ATTR_TIMEOUT => 5]);
$queue = new RedisQueue($argv[1] ?? null, ['max_attempts' => 0]);

$db = $open();
$db->exec('CREATE TABLE jobs (id INTEGER PRIMARY KEY, customer TEXT NOT NULL)');
$db->exec('CREATE TABLE totals (customer TEXT PRIMARY KEY, jobs INTEGER NOT NULL)');
$db->exec('CREATE TABLE done (job INTEGER PRIMARY KEY)');
for ($i = 0; $i < CUSTOMERS * JOBS_EACH; $i++) {
    $customer = basename($folder) . '-' . $i % CUSTOMERS;
    $db->exec("INSERT OR IGNORE INTO totals VALUES ('$customer', 0)");
    $db->exec("INSERT INTO jobs (customer) VALUES ('$customer')");
    $jobs[] = (int) $db->lastInsertId();
}
$queue->enqueue('imports', $jobs);
$db = null; // a connection must not be shared with a fork

/** What may not overlap: it reads the customer's total, works, and writes back one more. */
$import = function (PDO $db, array $job): void {
    $read = $db->prepare('SELECT jobs FROM totals WHERE customer = ?');
    $read->execute([$job['customer']]);
    [$total] = $read->fetchAll(PDO::FETCH_COLUMN);
    usleep(2_000);
    $db->beginTransaction();
    try {
        $done = $db->prepare('INSERT OR IGNORE INTO done VALUES (?)'); // a task may be delivered twice
        $done->execute([$job['id']]);
        if ($done->rowCount() === 1) {
            $db->prepare('UPDATE totals SET jobs = ? WHERE customer = ?')->execute([$total + 1, $job['customer']]);
        }
        $db->commit();
    } catch (Throwable $e) {
        $db->rollBack();
        throw $e;
    }
};

pcntl_signal(SIGTERM, SIG_IGN); // a worker that does not listen yet goes on when it is asked to end
$workers = [];
for ($number = 0; $number < WORKERS; $number++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        $db = $open();
        $imported = 0;
        $until = microtime(true) + 30;
        work($db, $queue, new RedisLock($argv[1] ?? null), function (array $job) use ($db, $import, $number, &$imported) {
            if ($number === 0 && ++$imported === 3) {
                posix_kill(getmypid(), SIGKILL); // its lock and its task come free after LONGEST_HERE
            }
            $import($db, $job);
        }, fn () => array_sum($queue->stats('imports')) > 0 && microtime(true) < $until, LONGEST_HERE);
        exit;
    }
    $workers[] = $pid;
}
pcntl_signal(SIGTERM, SIG_DFL);
usleep(100_000);
posix_kill($workers[1], SIGTERM);
$ends = array_map(function (int $pid): string {
    pcntl_waitpid($pid, $status);
    return pcntl_wifsignaled($status) ? 'killed' : 'ended with ' . pcntl_wexitstatus($status);
}, $workers);

$db = $open();
$done = (int) $db->query('SELECT count(*) FROM done')->fetchColumn();
$totals = $db->query('SELECT jobs FROM totals')->fetchAll(PDO::FETCH_COLUMN);
$left = array_sum($queue->stats('imports'));
$db = null;
echo 'workers: ', implode(', ', $ends), "\n";
echo "done: $done, each customer's: ", implode(' ', $totals), ", tasks left: $left\n";
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
$expected = ['killed', ...array_fill(0, WORKERS - 1, 'ended with 0')];
exit($ends === $expected && $totals == array_fill(0, CUSTOMERS, JOBS_EACH) && $done === count($jobs) && $left === 0 ? 0 : 1);
