--TEST--
The first request on a cold server is lost: nothing is left there
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
$redis = $server->client();
foreach (['EVALSHA', 'EVAL'] as $command) {
    foreach (['silence', 'loseReply', 'loseRequest'] as $fault) {
        $redis->cmd('SCRIPT', 'FLUSH');
        $wire = new Wire($server);
        $lock = new RedisLock($wire->dsn(), ['connect_timeout' => slow(0.2), 'read_timeout' => slow(0.2), 'persistent' => false]);
        $wire->$fault($command);
        $outcome = outcome(fn () => $lock->lock('x') && $lock->unlock('x'));
        is_so("$fault of $command", in_array($outcome, ['true', 'RedisLockConnectionException']), $outcome);
        is_so('  nothing is left', wait_until(fn () => all_keys($redis) === [], 2), all_keys($redis));
    }
}
?>
--EXPECT--
silence of EVALSHA: yes
  nothing is left: yes
loseReply of EVALSHA: yes
  nothing is left: yes
loseRequest of EVALSHA: yes
  nothing is left: yes
silence of EVAL: yes
  nothing is left: yes
loseReply of EVAL: yes
  nothing is left: yes
loseRequest of EVAL: yes
  nothing is left: yes
