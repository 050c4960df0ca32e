--TEST--
expire() that reaches too few replicas keeps the shorter lease, and says so
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated();
$redis = $servers->server->client();
$lock = $servers->lock(['read_timeout' => 0.2]);
answered(fn () => $lock->lock('x', expire: 10.0));
var_dump(answered(fn () => $lock->expire('x', 20.0)));
is_between('the new lease', $lock->remaining('x'), 15, 20);
$kept = min(array_map(fn ($replica) => $replica->client()->cmd('PTTL', 'lock:x'), $servers->replicas));
is_safe('the replicas keep it for as long as is believed', max(0, $kept) + 1 >= 1000 * $lock->remaining('x'), $kept);

$servers->pauseOne();
thrown(fn () => answered(fn () => $lock->expire('x', 100.0)));
is_between('a longer one: the old lease is believed', $lock->remaining('x'), 10, 20);
is_so('the server has the new one', $redis->cmd('PTTL', 'lock:x') > 50000);
thrown(fn () => answered(fn () => $lock->expire('x', INF)));
is_between('without end: the old lease is believed', $lock->remaining('x'), 10, 20);
thrown(fn () => answered(fn () => $lock->expire('x', 5.0)));
is_between('a shorter one: the new lease is believed', $lock->remaining('x'), 2, 5);
var_dump($lock->isLocking('x'), $lock->unlock('x'), $servers->keys());
?>
--EXPECTF--
bool(true)
the new lease: yes
the replicas keep it for as long as is believed: yes
RedisLockServerException: unix://%s: the new lease reached 1 of 2 replicas within 200 ms (lock "x")
a longer one: the old lease is believed: yes
the server has the new one: yes
RedisLockServerException: unix://%s: the new lease reached 1 of 2 replicas within 200 ms (lock "x")
without end: the old lease is believed: yes
RedisLockServerException: unix://%s: the new lease reached 1 of 2 replicas within 200 ms (lock "x")
a shorter one: the new lease is believed: yes
bool(true)
bool(true)
array(0) {
}
