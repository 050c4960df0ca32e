--TEST--
remember(): while one builds, the others wait, and each sends two requests
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
$builder = building($server);
$waiters = [];
for ($i = 0; $i < 8; $i++) {
    $waiters[] = remembering($server, 'print "BUILDS TOO"');
}
await_blocked($redis, 8, slow(10));
is_so('they are counted', $lock->waiters('k') === 8);
$redis->cmd('CONFIG', 'RESETSTAT');
$builder->tell('the value');
echo $builder->output(), "\n";
echo implode(' ', array_unique(array_map(fn ($waiter) => trim($waiter->output()), $waiters))), "\n";
is_so('none asked again', array_sum(array_intersect_key(command_calls($redis), ['evalsha' => 1, 'eval' => 1])) <= 2, command_calls($redis));
var_dump(all_keys($redis));
?>
--EXPECT--
they are counted: yes
"the value"

"the value"
none asked again: yes
array(1) {
  [0]=>
  string(17) "{lock:k}:rl:value"
}
