--TEST--
Out of memory when a holder's lease ends under a waiter: nothing stays locked for nobody
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
$lock = new RedisLock($server->dsn());
$lock->lock('x');
$waiter = Worker::start('
    require $argv[2];
    $lock = new RedisLock($argv[1]);
    $outcome = outcome(fn () => $lock->lock("x", timeout: 10));
    echo $outcome === "true" || $outcome === "RedisLockServerException OOM" ? "had it, or was told why not" : $outcome, "\n";
    $lock->unlockAll();
', [$server->dsn(), __DIR__ . '/../inc/check.inc']);
is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));
$lock->expire('x', 0.2);
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);
echo $waiter->output();
is_so('nothing is left', wait_until(fn () => all_keys($redis) === [], 2), all_keys($redis));
?>
--EXPECT--
it waits: yes
had it, or was told why not
nothing is left: yes
