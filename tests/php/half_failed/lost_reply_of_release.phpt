--TEST--
The reply to a release is lost for good: an exception or true, and the lock is free
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

foreach (['silence', 'loseReply', 'loseRequest'] as $fault) {
    $lock->lock($fault);
    $wire->$fault('EVALSHA');
    $outcome = outcome(fn () => $lock->unlock($fault));
    is_so($fault, in_array($outcome, ['true', 'RedisLockConnectionException']), $outcome);
    is_so('  free', wait_until(fn () => $redis->cmd('EXISTS', "lock:$fault") === 0, 2));
    $wire->heal();
}
?>
--EXPECT--
silence: yes
  free: yes
loseReply: yes
  free: yes
loseRequest: yes
  free: yes
