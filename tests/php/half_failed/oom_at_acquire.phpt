--TEST--
Out of memory at the acquisition: OOM, and nothing is locked, with a token of ours or the caller's, with fencing
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
$fencing = new RedisLock($server->dsn(), ['fencing' => true]);
$lock->lock('warm-up');
$fencing->lock('warm-up too');
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);

echo outcome(fn () => $lock->lock('x')), "\n";
echo outcome(fn () => $lock->lock('x', token: 'mine')), "\n";
echo outcome(fn () => $fencing->lock('x')), "\n";
echo outcome(fn () => $lock->synchronized('x', fn () => print("section ran\n"))), "\n";
var_dump($redis->cmd('EXISTS', 'lock:x'), our_keys($redis), $lock->token('x'));
?>
--EXPECT--
RedisLockServerException OOM
RedisLockServerException OOM
RedisLockServerException OOM
RedisLockServerException OOM
int(0)
array(0) {
}
NULL
