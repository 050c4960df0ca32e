--TEST--
A user without the right to ask for the ROLE locks, and READONLY tells that the server named is a replica
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$rights = implode(' ', minimal_rights());
$set = SentinelSet::start(config: ["user poor on >p00r $rights -role"]);
$timeouts = ['connect_timeout' => 0.5, 'read_timeout' => 0.5];
$login = ['username' => 'poor', 'password' => 'p00r'] + $timeouts;
$lock = new RedisLock(bare($set->dsn()), $login + $set->options);
var_dump($lock->lock('x'), $lock->unlock('x'));
await_replicated($set);
$set->failover();
var_dump($lock->lock('x', 2.0), $lock->unlock('x'));

// A sentinel that knows of nothing but the replica names it as the master. Others would tell it better.
$replica = $set->others($set->master())[0];
array_map(fn ($sentinel) => $sentinel->kill(), $set->sentinels);
$stranger = $set->stranger($replica->port());
refusal($set->dsn(sentinels: [$stranger]), $timeouts + $set->options, 0.6);
refusal(bare($set->dsn(sentinels: [$stranger])), $login + $set->options, 0.6);
var_dump($stranger->named() === $replica->port());
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: 127.0.0.1:%d: this is a replica, not the master (lock "x")
RedisLockServerException: redis-sentinel://%s/mymaster/0: %SREADONLY%s
bool(true)
