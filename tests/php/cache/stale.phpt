--TEST--
remember(): past its end a value is taken by all but the one that builds a new one, for as long as is allowed
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->remember('k', fn () => 'old', ttl: 0.05, stale: 60);
usleep(100000);
$builder = building($server, 'ttl: 60, stale: 60');
took_between('at once', seconds(fn () => var_dump($lock->remember('k', fn () => 'NOT ITS TURN', 60, stale: 60))), 0, 1);
var_dump($lock->remember('k', fn () => 'NOT ITS TURN', 60, stale: INF));
thrown(fn () => $lock->remember('k', fn () => 'NOT ITS TURN', 60, timeout: 0.1, stale: 0.01));
$builder->tell('new');
echo $builder->output();
var_dump($lock->remember('k', fn () => 'NOT ITS TURN', 60));

// Who builds the new one and fails gets no stale one instead.
$lock->forget('k');
$lock->remember('k', fn () => 'old', ttl: 0.05, stale: 60);
usleep(100000);
thrown(fn () => $lock->remember('k', fn () => throw new DomainException('no value'), 60, stale: 60));
?>
--EXPECTF--
string(3) "old"
at once: yes
string(3) "old"
RedisLockTimeoutException: %s: somebody else builds the value, and it was not there within 0.1 s (lock "k")
"new"
string(3) "new"
DomainException: no value
