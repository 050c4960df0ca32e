--TEST--
Each process counts for itself, and says why; the command has nothing to tell, and nothing is logged
--EXTENSIONS--
redislock
--SKIPIF--
<?php
if (PHP_OS_FAMILY !== 'Windows') {
    die('skip elsewhere processes count together');
}
?>
--FILE--
<?php
require __DIR__ . '/../../php/cli/cli.inc';
require __DIR__ . '/../../php/metrics/metrics.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
$log = "$folder->path/log";
$metrics = json_decode(Worker::run('
    foreach ([1, 2] as $i) {
        $lock = new RedisLock($argv[1]);
        $lock->lock("stock:1") && $lock->unlock("stock:1");
    }
    echo json_encode(RedisLock::metrics());
', [$server->dsn()], options: ['-d', "error_log=$log", '-d', 'log_errors=1']), true);
echo 'machine: ', json_encode($metrics['machine']), "\n";
echo 'process: ', told($metrics['process']['groups']['stock']), "\n";
echo "problem: $metrics[problem]\n";
is_so('nothing is logged', !is_file($log));
foreach ([[], ['--openmetrics'], ['--json'], ['--uid=1']] as $options) {
    $run = cli(['metrics', ...$options]);
    echo $run->out, $run->err, "=> $run->status\n";
}
$run = cli(['metrics', '--uid=nobody']);
echo $run->out, $run->err, "=> $run->status\n";
?>
--EXPECT--
machine: null
process: acquired 2, released 2, wait 2, hold 2
problem: shared memory is only known on Linux
nothing is logged: yes
redislock: shared memory is only known on Linux
=> 3
redislock: shared memory is only known on Linux
=> 3
redislock: shared memory is only known on Linux
=> 3
redislock: shared memory is only known on Linux
=> 3
redislock: --uid: there is no user nobody here
=> 2
