--TEST--
slow_wait and slow_hold: a line in the log for a lock that is slow, one a second, with who it was
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();

/** Runs the code with a log of its own, and shows what is in there. */
function logged(string $label, string $code, string ...$options): void
{
    global $server, $folder;
    $log = "$folder->path/log";
    $said = Worker::run($code, [$server->dsn()], options: ['-d', "error_log=$log", '-d', 'date.timezone=UTC', '-d', 'redislock.owner=web-1:17', ...$options]);
    echo "$label: $said\n", is_file($log) ? preg_replace(['/^\[.*?\] /m', '/\d+(\.\d+)? (s|ms)\b/', '/x{200}/'], ['    ', 'N s', 'x{200}'], file_get_contents($log)) : '';
    @unlink($log);
}

$held = '$lock->lock("stock:1"); usleep(30000); echo json_encode($lock->unlock("stock:1"));';
logged('by default', '$lock = new RedisLock($argv[1]);' . $held);
logged('hold, by option', '$lock = new RedisLock($argv[1], ["slow_hold" => 0.02]);' . $held);
logged('hold, by setting', '$lock = new RedisLock($argv[1]);' . $held, '-d', 'redislock.slow_hold=0.02');
logged('not that long', '$lock = new RedisLock($argv[1], ["slow_hold" => 20.0, "slow_wait" => 20.0]);' . $held);
logged('each way to release', '
    $lock = new RedisLock($argv[1], ["slow_hold" => 0.02]);
    foreach (["unlockAll" => fn () => $lock->lock("a") && usleep(30000) ?: $lock->unlockAll(), "synchronized" => fn () => $lock->synchronized("b", fn () => usleep(30000)),
        "remember" => fn () => $lock->remember("c", fn () => usleep(30000) ?: 1, 60), "lost" => function () use ($lock) {
            $lock->lock("d");
            usleep(30000);
            (new RedisLock($GLOBALS["argv"][1]))->forceUnlock("d");
            $lock->unlock("d");
        }] as $what => $do) {
        $do();
        usleep(1000000);
    }');
logged('a wait', '
    (new RedisLock($argv[1], ["auto_release" => false]))->lock("stock:1", null, 0.2);
    $lock = new RedisLock($argv[1], ["slow_wait" => 0.02]);
    echo json_encode($lock->lock("stock:1", 10.0)), $lock->unlock("stock:1");');
logged('waits', '
    $other = new RedisLock($argv[1]);
    $lock = new RedisLock($argv[1], ["slow_wait" => 0.02]);
    $other->lock("stock:1", null, 0.5);
    echo json_encode($lock->lock("stock:1", 0.05)), " ", json_encode($lock->lock("stock:1", 10.0)), " ", json_encode($lock->lockAll(["x", "y"]));
    usleep(1000000);
    $other->lock("z");
    echo " ", json_encode($lock->lock("z", 0.05));');
logged('one a second', '
    $lock = new RedisLock($argv[1], ["slow_hold" => 0.001]);
    foreach ([1, 2, 3, 4] as $i) {
        $lock->lock("many");
        usleep($i === 4 ? 1000000 : 2000);
        $lock->unlock("many");
    }');
logged('any bytes', '$lock = new RedisLock($argv[1], ["slow_hold" => 0.001, "owner" => ""]);
    foreach (["new\nline\\\\", str_repeat("x", 1000)] as $name) {
        $lock->lock($name);
        usleep(1100000);
        $lock->unlock($name);
    }');
foreach ([0.0, -1.0, 'x'] as $bad) {
    echo outcome(fn () => new RedisLock($server->dsn(), ['slow_wait' => $bad])), "\n";
}
?>
--EXPECT--
by default: true
hold, by option: true
    redislock: slow: the lock "stock:1" was held for N s by web-1:17
hold, by setting: true
    redislock: slow: the lock "stock:1" was held for N s by web-1:17
not that long: true
each way to release: 
    redislock: slow: the lock "a" was held for N s by web-1:17
    redislock: slow: the lock "b" was held for N s by web-1:17
    redislock: slow: the lock "c" was held for N s by web-1:17
    redislock: slow: the lock "d" was held for N s by web-1:17
a wait: true1
    redislock: slow: the lock "stock:1" was acquired after N s by web-1:17
waits: false true true false
    redislock: slow: the lock "stock:1" was not acquired within N s by web-1:17
    redislock: slow: the lock "z" was not acquired within N s by web-1:17; 1 slow ones before it were not logged
one a second: 
    redislock: slow: the lock "many" was held for N s by web-1:17
    redislock: slow: the lock "many" was held for N s by web-1:17; 2 slow ones before it were not logged
any bytes: 
    redislock: slow: the lock "new\x0aline\x5c" was held for N s by ?
    redislock: slow: the lock "x{200}..." was held for N s by ?
ValueError: RedisLock::__construct(): Argument #2 ($options) option "slow_wait" must be between 0.001 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "slow_wait" must be between 0.001 and 1000000000 seconds, or INF
TypeError: RedisLock::__construct(): Argument #2 ($options) option "slow_wait" must be of type float, string given
