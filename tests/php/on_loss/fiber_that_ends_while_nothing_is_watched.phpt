--TEST--
A fiber ends while its lock is not watched: who begins in its place is told nothing when the lease is watched again
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
    require $argv[2];
    set_error_handler(function (int $level, string $message) {
        echo "warning: $message\n";
        return true;
    });
    $lock = new RedisLock($argv[1], ["expire" => INF, "on_loss" => "throw"]);
    $first = new Fiber(function () use ($lock) {
        echo json_encode($lock->lock("x")), "\n";
        fgets(STDIN);
        $lock->expire("x", 60);
        fgets(STDIN);
    });
    $act = function () use ($lock) {
        $lock->expire("x", 1);
        thrown(fn () => compute_until(fn () => $lock->lost("x")) . compute(0.3));
    };
    $first->start();
    unset($first);
    (new Fiber($act))->start();
', [$server->dsn(), __DIR__ . '/on_loss.inc']);
echo $worker->readLine(), "\n";
preg_match('/^VmSize:\s*(\d+) kB/m', file_get_contents("/proc/{$worker->pid()}/status"), $found);
exec("prlimit --pid {$worker->pid()} --as=" . ($found[1] + 400) * 1024 . ':'); // less than the stack of a thread
$worker->tell('go');
echo $worker->readLine(), "\n";
exec("prlimit --pid {$worker->pid()} --as=unlimited:");
$worker->tell('go');
echo $worker->readLine(), "\n";
?>
--EXPECTF--
true
warning: RedisLock::expire(): unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
nothing thrown, returned '1computed to the end'
