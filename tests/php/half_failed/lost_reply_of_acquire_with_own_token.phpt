--TEST--
The same with the caller's token: it is used once, so what stands there is from this call, to be kept or undone
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn(), ['connect_timeout' => slow(0.2), 'read_timeout' => slow(0.2)]);
$lock->lock('warm-up');
$lock->unlock('warm-up');
$free = fn () => wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0, 10.0); // its lease is 30 s

$wire->silence('SET');
$outcome = outcome(fn () => $lock->lock('x', token: 'job-1'));
is_so('silence', $outcome === 'RedisLockConnectionException' && $lock->held() === [], $outcome);
is_so('  free', $free());
$wire->heal();
foreach (['loseReply', 'loseRequest'] as $fault) {
    $wire->$fault('SET');
    echo "$fault: ", outcome(fn () => $lock->lock('x', token: "job-$fault")), "\n";
    is_so('  held by this token', $redis->cmd('GET', 'lock:x') === "job-$fault");
    is_so('  released', $lock->unlock('x') && $free());
    $wire->heal();
}
?>
--EXPECT--
silence: yes
  free: yes
loseReply: true
  held by this token: yes
  released: yes
loseRequest: true
  held by this token: yes
  released: yes
