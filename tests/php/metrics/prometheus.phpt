--TEST--
redislock metrics: what it prints is what Prometheus reads, for any name of a group
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/metrics.inc';
skip_without_prometheus();
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../cli/cli.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
$names = ['stock', 'other', '', "quo\"te\\", "new\nline", 'grüße', "\xff\xfe", '\xff\xfe', '7', '日本'];
Worker::run('foreach (json_decode(base64_decode($argv[2])) as $name) {
        $lock = new RedisLock($argv[1], ["metrics_group" => base64_decode($name)]);
        $lock->lock("q") && $lock->unlock("q");
    }', [$server->dsn(), base64_encode(json_encode(array_map(base64_encode(...), $names)))], options: counts_in($folder->path));
$print = fn (string ...$words) => cli(['metrics', ...$words], options: counts_in($folder->path));

$run = $print();
file_put_contents("$folder->path/text", $run->out);
echo $run->status, ' ', $run->err, "\n";
echo implode("\n", preg_grep('/outcome="acquired"/', explode("\n", $run->out))), "\n"; // the order is that of the names' hashes
exec('promtool check metrics <' . escapeshellarg("$folder->path/text") . ' 2>&1', $said, $status);
is_so('promtool finds nothing', $status === 0 && $said === [], $said);

file_put_contents("$folder->path/open", $print('--openmetrics')->out);
$parsed = run_to_end([prometheus_python(), '-c', '
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(open(sys.argv[1], encoding="utf-8", newline="").read()):
    print(family.name, family.type, family.unit, len(family.samples))
    if family.name == "redislock_acquire":
        print(sorted(s.labels["group"] for s in family.samples if s.labels["outcome"] == "acquired"))
', "$folder->path/open"], ['PYTHONIOENCODING' => 'utf-8'], together: true);
echo $parsed->out;
?>
--EXPECT--
0 
redislock_acquire_total{group="other",outcome="acquired"} 2
redislock_acquire_total{group="quo\"te\\",outcome="acquired"} 1
redislock_acquire_total{group="new\\x0aline",outcome="acquired"} 1
redislock_acquire_total{group="7",outcome="acquired"} 1
redislock_acquire_total{group="日本",outcome="acquired"} 1
redislock_acquire_total{group="grüße",outcome="acquired"} 1
redislock_acquire_total{group="\\xff\\xfe",outcome="acquired"} 2
redislock_acquire_total{group="stock",outcome="acquired"} 1
promtool finds nothing: yes
redislock_wait_seconds histogram seconds 192
redislock_hold_seconds histogram seconds 192
redislock_acquire counter  48
['7', '\\xff\\xfe', 'grüße', 'new\\x0aline', 'other', 'quo"te\\', 'stock', '日本']
redislock_contended counter  8
redislock_released counter  8
redislock_unreleased counter  8
redislock_lost counter  16
redislock_renewals counter  16
redislock_values counter  32
redislock_connections counter  1
redislock_reconnects counter  1
redislock_script_reloads counter  1
redislock_errors counter  8
