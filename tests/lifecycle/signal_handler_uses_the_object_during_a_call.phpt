--TEST--
A signal handler releases the very lock that a call in progress works on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);
pcntl_async_signals(true);
foreach (['expire', 'isLocking', 'unlock', 'unlockAll', 'owner', 'forceUnlock'] as $method) {
    $lock = new RedisLock($wire->dsn());
    $lock->lock('x');
    $lock->isLocking('x');
    $wire->delay(0.05);
    pcntl_signal(SIGALRM, function () use (&$lock, $server) {
        $lock->unlock('x');
        $lock->held();
    });
    $child = pcntl_fork();
    if ($child === 0) {
        usleep(40000);
        posix_kill(posix_getppid(), SIGALRM);
        posix_kill(getmypid(), SIGKILL);
    }
    $outcome = $method === 'unlockAll' ? outcome(fn () => $lock->unlockAll()) : outcome(fn () => $lock->$method('x'));
    pcntl_waitpid($child, $status);
    $wire->delay(0);
    echo "$method: ", str_contains($outcome, 'Error') ? $outcome : 'no crash', ', ', $redis->cmd('EXISTS', 'lock:x') ? 'STILL LOCKED' : 'released', "\n";
    unset($lock);
}
?>
--EXPECT--
expire: no crash, released
isLocking: no crash, released
unlock: no crash, released
unlockAll: no crash, released
owner: no crash, released
forceUnlock: no crash, released
