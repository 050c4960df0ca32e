--TEST--
metrics(): processes that are killed leave their numbers, but for one operation each
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

const KILLS = 12;

$server = RedisServer::start();
$folder = new PrivateFolder();
$done = ['acquired' => 0, 'released' => 0];
for ($kill = 0; $kill < KILLS; $kill++) {
    // Each line is behind what it counts.
    $worker = Worker::start('$lock = new RedisLock($argv[1]);
        for ($i = 0;; $i++) {
            $lock->lock("stock:$argv[2]") && print("a\n");
            $lock->unlock("stock:$argv[2]") && print("r\n");
        }', [$server->dsn(), $kill], options: counts_in($folder->path));
    for ($i = 0; $i < 20 + 7 * $kill; $i++) {
        $worker->readLine();
        $done['acquired'] += $i % 2 === 0 ? 1 : 0;
        $done['released'] += $i % 2;
    }
    $worker->signal('KILL');
    $rest = $worker->output();
    $done['acquired'] += substr_count($rest, 'a');
    $done['released'] += substr_count($rest, 'r');
}
$group = metrics_in($folder->path)['machine']['groups']['stock'];
foreach ($done as $what => $number) {
    is_between($what, $group[$what] - $number, 0, KILLS);
}
is_so('all of them are in the histograms', array_sum($group['wait']['counts']) === $group['acquired'] && array_sum($group['hold']['counts']) === $group['released'], told($group));
?>
--EXPECT--
acquired: yes
released: yes
all of them are in the histograms: yes
