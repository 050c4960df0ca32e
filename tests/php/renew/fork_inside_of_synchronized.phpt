--TEST--
A section that forks: the child goes on without the lock, the parent's lease is renewed until its own section is over
--EXTENSIONS--
redislock
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.5), 'renew' => true]);
echo $lock->synchronized('x', function () use ($lock, $redis) {
    await_renewed();
    $pid = pcntl_fork();
    if ($pid === 0) {
        return 'child: ' . json_encode($lock->held()) . "\n";
    }
    pcntl_waitpid($pid, $status);
    return 'parent: ' . json_encode([stays($redis, 'lock:x', lease(0.8)), $lock->isLocking('x')]) . "\n";
});
if (isset($pid)) {
    exit;
}
flush();
?>
--EXPECT--
child: []
parent: [true,true]
