--TEST--
With the option replicas, a lock is there when its master dies in the same moment
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(downAfter: SOON_DOWN);
$old = $set->master();
$lock = new RedisLock($set->dsn(), ['replicas' => 1, 'expire' => 120.0, 'read_timeout' => slow(5.0)] + $set->options);
$other = new RedisLock($set->dsn(), $set->options);
var_dump($lock->lock('x'));
$old->kill();
$new = $set->awaitPromotion($old);
is_safe('it is ours at the new master', $new->client()->cmd('GET', 'lock:x') === $lock->token('x'));
await_calls($other);
var_dump($other->lock('x'), $lock->unlock('x'));

echo "Too few are left:\n";
$short = new RedisLock($set->dsn(), ['replicas' => 1, 'expire' => 0.4] + $set->options);
$e = thrown(fn () => $short->lock('x', 10.0));
echo "$e->redisError\n";
$e = thrown(fn () => $short->lockAll(['x', 'y'], 10.0));
var_dump($other->lock('x', 5.0), $other->unlock('x'));
?>
--EXPECTF--
bool(true)
it is ours at the new master: yes
bool(false)
bool(true)
Too few are left:
RedisLockServerException: redis-sentinel://%s: the lock reached 0 of 1 replicas within 200 ms (lock "x")
NOREPLICAS
RedisLockServerException: redis-sentinel://%s: the locks reached 0 of 1 replicas within 200 ms
bool(true)
bool(true)
