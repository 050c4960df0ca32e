--TEST--
Three servers that keep their data are restarted in turn while 8 processes lock: each name stays in reach while the next one is down
--DESCRIPTION--
Takes long. With REDISLOCK_TEST_LONG=1 in the environment, five times as long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few locks in the time');
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require __DIR__ . '/../inc/process.inc';

// Each process has names of its own, so that nothing but a server keeps it from one of them.
const WORK = <<<'PHP'
    $now = fn () => hrtime(true) / 1e9;
    $lock = new RedisLock(explode(' ', $argv[1]), ['expire' => 60.0, 'node_timeout' => 1.0, 'read_timeout' => 5.0]);
    $since = $spans = [];
    $count = 0;
    while (!file_exists($argv[2])) {
        $name = "$argv[3]:" . $count++ % 20;
        try {
            $got = $lock->lock($name);
        } catch (RedisLockException $e) {
            $got = false;
        }
        if (!$got) {
            $since[$name] ??= $now();
            usleep(1000);
            continue;
        }
        if (isset($since[$name])) {
            $spans[] = $now() - $since[$name];
            unset($since[$name]);
        }
        usleep(500);
        try {
            $lock->unlock($name) or print("lost $name\n");
        } catch (RedisLockException $e) {
            $lock->detach($name);
        }
    }
    foreach ($since as $name => $from) {
        $spans[] = $now() - $from;
    }
    echo json_encode([$count, max([0, ...$spans]), count($spans), RedisLock::stats()['unreleased']]), "\n";
    PHP;

/** The locks that are older than a second and a half: each is held for less, so that nobody holds these any more. */
function left_over(RedisServer $server): array
{
    $redis = $server->client();
    return array_filter($redis->cmd('KEYS', 'lock:*'), fn ($key) => ($ms = $redis->cmd('PTTL', $key)) > 0 && $ms < 58500);
}

$ring = new Ring(3, ['appendonly yes', 'appendfsync no']);
$stop = $ring[0]->folder() . '/stop';
$workers = [];
for ($i = 0; $i < 8; $i++) {
    $workers[] = Worker::start(WORK, [implode(' ', $ring->dsns()), $stop, $i]);
}
wait_until(fn () => count(array_filter($ring->values('lock:0:0'))) > 0);
$restarts = getenv('REDISLOCK_TEST_LONG') ? 15 : 3;
$left = [];
for ($i = 0; $i < $restarts; $i++) {
    $ring[$i % 3]->kill();
    usleep(1000000);
    $ring[$i % 3]->restart();
    usleep(1000000);
    $left[] = wait_until(fn () => left_over($ring[$i % 3]) === [], 10.0) ? [] : left_over($ring[$i % 3]);
}
touch($stop);
$said = array_map(fn ($worker) => json_decode($worker->output()), $workers);
is_so('what was released meanwhile is gone from the restarted servers', array_merge(...$left) === [], $left);
is_so('each worker has ended well', !in_array(null, $said, true), $said);
[$counts, $longest, $spans, $unreleased] = array_map(null, ...$said);
is_between('locks of each process', min($counts), 50, PHP_INT_MAX);
took_between('the longest time for which a name was out of reach', max($longest), 0.0, 0.5);
is_between('releases that failed', array_sum($unreleased), 0, 8 * $restarts);
tell_numbers(sprintf('3 servers, %d restarts, 8 processes: %d locks, %d times a name was out of reach, for at most %.3f s', $restarts, array_sum($counts), array_sum($spans), max($longest)));
?>
--EXPECT--
what was released meanwhile is gone from the restarted servers: yes
each worker has ended well: yes
locks of each process: yes
the longest time for which a name was out of reach: yes
releases that failed: yes
