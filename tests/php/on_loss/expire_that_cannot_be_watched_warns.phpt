--TEST--
Where expire() can start no thread to watch the new lease, there is a warning, and the lease is set all the same
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/on_loss.inc';
find_program('prlimit') !== null || die('skip needs prlimit');
skip_without_proc();
skip_under_valgrind('it needs more address space than the test allows');
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$worker = Worker::start('
    set_error_handler(function (int $level, string $message) {
        echo "warning: $message\n";
        return true;
    });
    $lock = new RedisLock($argv[1], ["expire" => INF, "on_loss" => "throw"]);
    echo json_encode($lock->lock("x")), "\n";
    fgets(STDIN);
    echo json_encode($lock->expire("x", 60)), "\n";
    echo json_encode([$lock->remaining("x") > 50, $lock->unlock("x")]), "\n";
', [$server->dsn()]);
echo $worker->readLine(), "\n";
preg_match('/^VmSize:\s*(\d+) kB/m', file_get_contents("/proc/{$worker->pid()}/status"), $found);
exec("prlimit --pid {$worker->pid()} --as=" . ($found[1] + 400) * 1024); // less than the stack of a thread
$worker->tell('go');
for ($i = 0; $i < 3; $i++) {
    echo $worker->readLine(), "\n";
}
?>
--EXPECTF--
true
warning: RedisLock::expire(): unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
true
[true,true]
