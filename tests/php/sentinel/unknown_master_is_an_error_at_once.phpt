--TEST--
A name that no sentinel knows is an error at once, however long the call may wait
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(sentinels: 3, replicas: 0);
$lock = new RedisLock($set->dsn(name: 'theirs'), ['connect_timeout' => 5.0] + $set->options);
foreach (['lock' => fn () => $lock->lock('x'), 'a wait' => fn () => $lock->lock('x', 30.0), 'owner' => fn () => $lock->owner('x')] as $call => $act) {
    $start = now();
    echo "$call: ";
    thrown($act);
    took_between('seconds', now() - $start, 0, 0.3);
}
// One that knows it is enough, and so is one that is silent for an error: two have said no.
$stranger = new SentinelServer(free_port(), null, ["sentinel monitor theirs 127.0.0.1 {$set->servers[0]->port()} 2"], null, []);
$lock = new RedisLock($set->dsn(sentinels: [$stranger, $set->sentinels[0]], name: 'theirs'), $set->options);
var_dump($lock->lock('x'), $lock->unlock('x'));

echo 'no sentinel: ';
thrown(fn () => (new RedisLock('redis-sentinel://127.0.0.1:' . $set->servers[0]->port() . '/mymaster'))->lock('x'));
?>
--EXPECTF--
lock: RedisLockConnectionException: redis-sentinel://%s/theirs/0: the sentinels watch no master named 'theirs' (lock "x")
seconds: yes
a wait: RedisLockConnectionException: redis-sentinel://%s/theirs/0: the sentinels watch no master named 'theirs' (lock "x")
seconds: yes
owner: RedisLockConnectionException: redis-sentinel://%s/theirs/0: the sentinels watch no master named 'theirs' (lock "x")
seconds: yes
bool(true)
bool(true)
no sentinel: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: ERR unknown command 'SENTINEL': it is no sentinel (lock "x")
