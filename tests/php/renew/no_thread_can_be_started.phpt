--TEST--
Where no thread can be started, a lock that is to be renewed is not taken, and the exception says why; others are
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/renew.inc';
find_program('prlimit') !== null || die('skip needs prlimit');
skip_without_proc();
skip_under_valgrind('it needs more address space than the test allows');
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$worker = Worker::start('
    $lock = new RedisLock($argv[1]);
    $lock->lock("first");
    echo "ready\n";
    fgets(STDIN);
    foreach ([
        "lock" => fn () => $lock->lock("x", renew: true),
        "lockAll" => fn () => $lock->lockAll(["a", "b"], renew: true),
        "synchronized" => fn () => $lock->synchronized("x", fn () => print("RUN\n"), renew: true),
        "attach" => fn () => $lock->attach("first", $lock->token("first"), renew: true),
        "remember" => fn () => (new RedisLock($argv[1], ["renew" => true]))->remember("x", fn () => print("RUN\n"), 60),
        "once" => fn () => (new RedisLock($argv[1], ["renew" => true]))->once("x", fn () => null, fn () => print("RUN\n")),
    ] as $label => $act) {
        try {
            $act();
            echo "$label: NOTHING THROWN\n";
        } catch (RedisLockException $e) {
            echo "$label: ", get_class($e), ": ", $e->getMessage(), "\n";
        }
    }
    echo json_encode([array_keys($lock->held()), $lock->lock("x"), $lock->lockAll(["a", "b"])]), "\n";
    fgets(STDIN);
', [$server->dsn()]);
echo $worker->readLine(), "\n";
preg_match('/^VmSize:\s*(\d+) kB/m', file_get_contents("/proc/{$worker->pid()}/status"), $found);
exec("prlimit --pid {$worker->pid()} --as=" . ($found[1] + 400) * 1024); // less than the stack of a thread
$worker->tell('go');
for ($i = 0; $i < 7; $i++) {
    echo $worker->readLine(), "\n";
}
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECTF--
ready
lock: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
lockAll: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11)
synchronized: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
attach: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "first")
remember: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
once: RedisLockConnectionException: unix://%s: cannot start the thread that renews or watches leases (error 11) (lock "x")
[[],true,true]
lock:a lock:b lock:first lock:x
