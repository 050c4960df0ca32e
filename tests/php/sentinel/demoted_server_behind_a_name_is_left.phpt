--TEST--
A master behind a name, without sentinels in the DSN, is demoted and the name leads to another: the kept connection is left, no call more fails
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(cuttable: true);
[$first, $second] = $set->servers;
// The cut stands for the name: its port stays, and leads elsewhere.
$lock = new RedisLock("redis://{$first->login()}127.0.0.1:{$set->portOf($first)}");
var_dump($lock->lock('x'), $lock->unlock('x'));
await_replicated($set);
$set->cuts[0]->leadTo($second->port());
foreach ($set->sentinels as $sentinel) {
    $sentinel->kill(); // they would turn it back
}
$second->client()->cmd('REPLICAOF', 'NO', 'ONE');
$first->client()->cmd('REPLICAOF', '127.0.0.1', $second->port());
// Nobody has closed the connection: it says READONLY, once, and is not asked again.
echo outcome(fn () => $lock->owner('x')), "\n";
var_dump($lock->owner('x'), $lock->lock('x'), $second->client()->cmd('EXISTS', 'lock:x'), $lock->unlock('x'));
?>
--EXPECT--
bool(true)
bool(true)
RedisLockServerException READONLY
NULL
bool(true)
int(1)
bool(true)
