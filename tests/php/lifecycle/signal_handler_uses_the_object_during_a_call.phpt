--TEST--
A signal handler releases the very lock that a call in progress works on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
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
    $handled = false;
    pcntl_signal(SIGALRM, function () use (&$lock, &$handled) {
        $handled = true;
        $lock->unlock('x');
        $lock->held();
    });
    $alarm = new Child(['/bin/sh', '-c', 'sleep 0.04; kill -ALRM $PPID'], []);
    $outcome = $method === 'unlockAll' ? outcome(fn () => $lock->unlockAll()) : outcome(fn () => $lock->$method('x'));
    $alarm->wait(5);
    $wire->delay(0);
    echo "$method: ", str_contains($outcome, 'Error') ? $outcome : 'no crash', $handled ? ', ' : ', NOT HANDLED, ', $redis->cmd('EXISTS', 'lock:x') ? 'STILL LOCKED' : 'released', "\n";
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
