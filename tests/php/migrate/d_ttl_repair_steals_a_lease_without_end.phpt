--TEST--
Row D: while the old class still has its TTL repair, it takes a lock of ours that has no end: why README forbids INF
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_named_locks.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);
$with = new OldNamedLocks($server->client());
$without = new OldNamedLocks($server->client(), repair: false);

$lock->lock('x', 0, 15);
is_so('15 s: kept out with the repair', $with->lock('x') === false);
$lock->unlock('x');

$lock->lock('x', 0, INF);
is_so('INF: kept out without the repair', $without->lock('x') === false);
is_so('INF: stolen with it', $with->lock('x') === true);
is_so('which ours is told', $lock->isLocking('x') === false && $lock->unlock('x') === false);
?>
--EXPECT--
15 s: kept out with the repair: yes
INF: kept out without the repair: yes
INF: stolen with it: yes
which ours is told: yes
