--TEST--
What unlock() sent to a stopped server before it gave up releases when the server goes on, and hands over
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/faults.inc';

$server = RedisServer::start();
$redis = $server->client();
$options = ['persistent' => false, 'connect_timeout' => 0.1, 'read_timeout' => 0.1, 'auto_release' => false];
$calls = [
    'unlock()' => fn ($lock) => $lock->unlock('x'),
    'unlock(token)' => fn ($lock) => $lock->unlock('x', $lock->token('x')),
    'unlockAll()' => fn ($lock) => $lock->unlockAll(),
];
foreach ([true, false] as $known) {
    foreach ($calls as $call => $act) {
        $redis->cmd('FLUSHALL');
        $redis->cmd('SCRIPT', 'FLUSH');
        $lock = new RedisLock($server->dsn(), $options);
        if ($known) {
            $lock->lock('y');
            $lock->unlock('y');
        }
        $lock->lock('x');
        $server->pause();
        $outcome = outcome(fn () => $act($lock));
        $server->resume();
        $gone = wait_until(fn () => all_keys($redis) === [], 0.3);
        is_so("$call, " . ($known ? 'known' : 'unknown') . " script: $outcome, free", $gone, all_keys($redis));
    }
}
$redis->cmd('FLUSHALL');
$lock = new RedisLock($server->dsn(), $options);
$lock->lock('x');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", 5.0), $lock->unlock("x"));
', [$server->dsn()]);
wait_until(fn () => blocked($redis) === 1);
$server->pause();
echo outcome(fn () => $lock->unlock('x')), "\n";
$server->resume();
$took = seconds(function () use ($waiter) {
    echo $waiter->output();
});
took_between('s until the waiter had it and was done', $took, 0, 0.5);
echo json_encode(all_keys($redis)), "\n";
?>
--EXPECT--
unlock(), known script: RedisLockConnectionException, free: yes
unlock(token), known script: RedisLockConnectionException, free: yes
unlockAll(), known script: RedisLockConnectionException, free: yes
unlock(), unknown script: RedisLockConnectionException, free: yes
unlock(token), unknown script: RedisLockConnectionException, free: yes
unlockAll(), unknown script: RedisLockConnectionException, free: yes
RedisLockConnectionException
bool(true)
bool(true)
s until the waiter had it and was done: yes
[]
