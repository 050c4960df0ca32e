--TEST--
Planned failovers under processes that lock, wait and release: no call fails, and never two hold
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';


$set = SentinelSet::start();
$code = <<<'PHP'
    $lock = new RedisLock($argv[1], ['expire' => 30.0, 'read_timeout' => 5.0] + unserialize(base64_decode($argv[2])));
    $log = [];
    while (!file_exists($argv[3])) {
        $name = 'n' . random_int(1, 3);
        unset($from);
        try {
            if (!$lock->lock($name, 20.0)) {
                $log[] = ['failed', $name, 'not in time'];
                continue;
            }
            $from = hrtime(true) / 1e9;
            usleep(random_int(100, 20000));
            $log[] = [$name, $from, hrtime(true) / 1e9];
            if (!$lock->unlock($name)) {
                $log[] = ['failed', $name, 'was not ours'];
            }
        } catch (RedisLockException $e) {
            $log[] = ['failed', $name, (isset($from) ? 'unlock: ' : 'lock: ') . get_class($e) . ' ' . $e->getMessage()];
        }
    }
    echo json_encode($log);
    PHP;
$stop = $set->servers[0]->folder() . '/stop';
$workers = array_map(fn () => Worker::start($code, [$set->dsn(), base64_encode(serialize($set->options)), $stop]), range(1, 6));
for ($i = 0; $i < 3; $i++) {
    usleep(300000);
    await_replicated($set);
    $set->failover();
}
usleep(300000);
touch($stop);
$logs = array_merge(...array_map(fn ($worker) => json_decode($worker->output(slow(40.0)), true) ?? [['failed', '', 'ended badly']], $workers));
$failed = array_filter($logs, fn ($line) => $line[0] === 'failed');
is_so('no call failed', $failed === [], array_values($failed));
$held = array_diff_key($logs, $failed);
is_between('sections', count($held), 50, PHP_INT_MAX);
foreach (['n1', 'n2', 'n3'] as $name) {
    $pairs = overlapping(array_map(fn ($line) => [$line[1], $line[2]], array_filter($held, fn ($line) => $line[0] === $name)));
    is_safe("$name: never two", $pairs === [], $pairs);
}
?>
--EXPECT--
no call failed: yes
sections: yes
n1: never two: yes
n2: never two: yes
n3: never two: yes
