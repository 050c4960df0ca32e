--TEST--
Out of memory when one that would wait finds the lock free: had or refused, and nothing stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('warm-up');
$lock->unlock('warm-up');
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);

$outcome = outcome(fn () => $lock->lock('x', timeout: 0.1));
is_so('had or refused', $outcome === 'true' && $lock->unlock('x') || $outcome === 'RedisLockServerException OOM', $outcome);
var_dump(all_keys($redis));
?>
--EXPECT--
had or refused: yes
array(0) {
}
