--TEST--
All sentinels are down, or silent: an error that says so, by the end of the call's time
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(replicas: 0);
$silent = new RedisLock($set->dsn(), ['connect_timeout' => 0.6, 'read_timeout' => 0.6] + $set->options);
array_map(fn ($sentinel) => $sentinel->pause(), $set->sentinels);
foreach ([0.0, 1.2] as $timeout) {
    $start = now();
    echo "silent, $timeout: ";
    thrown(fn () => $silent->lock('x', $timeout));
    took_between('seconds', now() - $start, 0.55, max($timeout, 1.2) + 0.05);
}
array_map(fn ($sentinel) => $sentinel->kill(), $set->sentinels);
foreach ([0.0, 1.2] as $timeout) {
    $start = now();
    echo "down, $timeout: ";
    thrown(fn () => $silent->lock('x', $timeout));
    took_between('seconds', now() - $start, 0, max($timeout, 1.2) + 0.05);
}
?>
--EXPECTF--
silent, 0: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel has answered in time (lock "x")
seconds: yes
silent, 1.2: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel has answered in time (lock "x")
seconds: yes
down, 0: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: Connection refused (lock "x")
seconds: yes
down, 1.2: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: Connection refused (lock "x")
seconds: yes
