--TEST--
Sentinels that announce host names: found, and found again after a failover, also by the thread that renews
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(hostnames: true);
is_so('the sentinels say a name', $set->sentinels[0]->client()->cmd('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', SentinelSet::NAME)[0] === 'localhost');
$lock = new RedisLock($set->dsn(), ['expire' => 6.0, 'renew' => true] + $set->options);
$other = new RedisLock($set->dsn(), $set->options);
var_dump($lock->lock('x'), $other->lock('x'));
await_replicated($set);
$new = $set->failover();
$renewals = RedisLock::stats()['renewed'];
is_so('renewed there', wait_until(fn () => RedisLock::stats()['renewed'] > $renewals && $new->client()->cmd('PTTL', 'lock:x') > 4000, slow(6.0)));
var_dump($other->lock('x'), $lock->unlock('x'), $other->lock('x'));
?>
--EXPECT--
the sentinels say a name: yes
bool(true)
bool(false)
renewed there: yes
bool(false)
bool(true)
bool(true)
