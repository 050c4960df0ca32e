--TEST--
The exceptions tell numbers: how long was waited and how many wait still; how long the section took and the lease was
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x', 0, 60);
$lock = new RedisLock($server->dsn());
$message = function (callable $act, string $pattern) use (&$server) {
    try {
        $act();
        echo "NOTHING THROWN\n";
    } catch (RedisLockException $e) {
        $reason = preg_replace('~^' . preg_quote($server->address(), '~') . ': (.*) \(lock "x"\)$~', '$1', $e->getMessage());
        echo get_class($e), ': ', preg_match($pattern, $reason) ? 'as expected' : $reason, "\n";
    }
};
$try = fn (RedisLock $lock, float $timeout) => fn () => $lock->synchronized('x', fn () => print("RUNS\n"), $timeout);

$message($try($lock, 0), '/^somebody else holds the lock$/');
$message($try($lock, 0.25), '/^not acquired within 0\.25 s$/');
$waiters = [];
foreach ([1, 2, 3] as $count) {
    $waiters[] = Worker::start('(new RedisLock($argv[1]))->lock("x", 60);', [$server->dsn()]);
    wait_until(fn () => $holder->waiters('x') === $count);
    $message($try($lock, 0.25), $count === 1 ? '/^not acquired within 0\.25 s; one other is waiting$/' : "/^not acquired within 0\.25 s; $count are waiting$/");
}
$message($try(new RedisLock($server->dsn(), ['max_waiters' => 2]), 3), '/^too many are waiting already: 3$/');
$waiters = [];

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lost = 'the lock was lost before the section was over: the section took';
$message(fn () => $lock->synchronized('x', function () use ($redis) {
    usleep(50000);
    $redis->cmd('DEL', 'lock:x');
}, 0, 10), "/^$lost [0-9.]+ s, the lease was 10 s$/");
$message(fn () => $lock->synchronized('x', fn () => usleep(600000), 0, 0.3), "/^$lost [0-9.]+ s, the lease was 0\.3 s$/");
$message(fn () => $lock->synchronized('x', function () use ($lock) {
    usleep(20000);
    $lock->expire('x', 0.3);
    usleep(600000);
}, 0, 20), "/^$lost [0-9.]+ s, the lease was 0\.3 s, set [0-9.]+ s before its end$/");
$message(fn () => $lock->synchronized('x', fn () => $redis->cmd('DEL', 'lock:x'), 0, INF), "/^$lost [0-9.]+ s, the lease was without end$/");
?>
--EXPECT--
RedisLockTimeoutException: as expected
RedisLockTimeoutException: as expected
RedisLockTimeoutException: as expected
RedisLockTimeoutException: as expected
RedisLockTimeoutException: as expected
RedisLockTimeoutException: as expected
RedisLockLostException: as expected
RedisLockLostException: as expected
RedisLockLostException: as expected
RedisLockLostException: as expected
