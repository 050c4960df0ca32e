--TEST--
isLocking(), remaining(), held(), expire(), token(), detach() and attach() of a lock that was passed on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(3);
[$holder, $heir, $other] = $workers;
$holder->call('lock', 'x');
$machine->lineUpFor([$heir], 'lock', 'x', PATIENCE, 20.0);
var_dump($holder->call('unlock', 'x'), $heir->answer()['result']);
is_so('it was passed on', passed_on($workers) === 1);
var_dump($holder->call('isLocking', 'x'), $heir->call('isLocking', 'x'), array_keys($heir->call('held')), $holder->call('held'));
is_between('remaining', $heir->call('remaining', 'x'), 10.0, 20.0);
var_dump($heir->call('expire', 'x', 50.0));
is_between('remaining', $heir->call('remaining', 'x'), 40.0, 50.0);
is_between('in Redis', $redis->cmd('PTTL', 'lock:x'), 40000, 50000);
$token = $redis->cmd('GET', 'lock:x');
var_dump($heir->call('token', 'x') === $token, $heir->call('detach', 'x') === $token, $heir->call('held'));
var_dump($other->call('attach', 'x', $token), $other->call('isLocking', 'x'), $other->call('unlock', 'x'));
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
it was passed on: yes
bool(false)
bool(true)
array(1) {
  [0]=>
  string(1) "x"
}
array(0) {
}
remaining: yes
bool(true)
remaining: yes
in Redis: yes
bool(true)
bool(true)
array(0) {
}
bool(true)
bool(true)
bool(true)
Array
(
)
