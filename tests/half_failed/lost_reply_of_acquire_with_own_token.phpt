--TEST--
The same with the caller's token: whether the token there is this call's cannot be known, and that is said, not guessed
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

foreach (['silence', 'loseReply'] as $fault) {
    $wire->$fault('SET');
    $outcome = outcome(fn () => $lock->lock('x', token: 'job-1'));
    is_so($fault, $outcome === 'RedisLockConnectionException' && $lock->held() === [], $outcome);
    $lock->unlock('x', 'job-1'); // the caller, who knows that the token is unique, can give it back
    is_so('  free', $redis->cmd('EXISTS', 'lock:x') === 0);
    $wire->heal();
}
$wire->loseRequest('SET');
echo 'loseRequest: ', outcome(fn () => $lock->lock('x', token: 'job-1')), "\n";
?>
--EXPECT--
silence: yes
  free: yes
loseReply: yes
  free: yes
loseRequest: true
