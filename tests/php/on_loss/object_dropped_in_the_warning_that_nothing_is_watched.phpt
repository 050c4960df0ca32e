--TEST--
The handler of the warning that a lease cannot be watched may drop the last reference to the object; expire() still throws
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../renew/renew.inc';
find_program('prlimit') !== null || die('skip needs prlimit');
skip_without_proc();
skip_under_valgrind('it needs more address space than the test allows');
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$worker = Worker::start('
    set_error_handler(function (int $level, string $message) use (&$lock) {
        $lock = null;
        return print("warning: $message\n");
    });
    $lock = new RedisLock($argv[1], ["expire" => INF, "on_loss" => "throw"]);
    echo json_encode($lock->lock("x")), "\n";
    fgets(STDIN);
    $method = [&$lock, "expire"];
    try {
        array_map($method, ["x"], [60]);
    } catch (RedisLockConnectionException $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
    echo json_encode($lock), "\n";
', [$server->dsn()], ['USE_ZEND_ALLOC' => '0', 'MALLOC_PERTURB_' => '90']); // glibc overwrites what is freed
echo $worker->readLine(), "\n";
preg_match('/^VmSize:\s*(\d+) kB/m', file_get_contents("/proc/{$worker->pid()}/status"), $found);
exec("prlimit --pid {$worker->pid()} --as=" . ($found[1] + 400) * 1024); // less than the stack of a thread
$server->kill();
$worker->tell('go');
echo $worker->output();
?>
--EXPECTF--
true
warning: RedisLock::expire(): unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
RedisLockConnectionException: unix://%s (lock "x")
null
