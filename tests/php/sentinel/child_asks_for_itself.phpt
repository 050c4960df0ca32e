--TEST--
A child that was forked while its parent holds a lock asks the sentinels for itself, also after a failover
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start();
$lock = new RedisLock($set->dsn(), $set->options);
$lock->lock('x', expire: 60.0);
await_replicated($set);
$pid = pcntl_fork();
if ($pid === 0) {
    $own = new RedisLock($set->dsn(), $set->options);
    exit($own->lock('x') === false && $lock->lock('y') && $lock->unlock('y') ? 0 : 1);
}
pcntl_waitpid($pid, $status);
var_dump(pcntl_wexitstatus($status));
$set->failover();
$pid = pcntl_fork();
if ($pid === 0) {
    exit($lock->lock('y', 5.0) && $lock->unlock('y') ? 0 : 1);
}
pcntl_waitpid($pid, $status);
var_dump(pcntl_wexitstatus($status), $lock->isLocking('x'), $lock->unlock('x'));
?>
--EXPECT--
int(0)
int(0)
bool(true)
bool(true)
