--TEST--
The lease of a lock that was passed on is renewed by its new holder, and not by the last one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../renew/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(2, ['renew' => true]);
[$holder, $heir] = $workers;
$holder->call('lock', 'x', 0.0, lease(0.6));
$machine->lineUpFor([$heir], 'lock', 'x', PATIENCE, lease(0.6));
is_so('the holder renews it', wait_until(fn () => $holder->call('stats')['renewed'] > 0));
var_dump($holder->call('unlock', 'x'), $heir->answer()['result']);
$renewed = $holder->call('stats')['renewed'];
is_so('it was passed on', passed_on($workers) === 1);
is_so('it stays', stays($redis, 'lock:x', lease(1.5)));
is_so('its new holder has renewed it', $heir->call('stats')['renewed'] >= 3, $heir->call('stats'));
is_so('the last one has not', $holder->call('stats')['renewed'] === $renewed && $holder->call('stats')['lost_while_held'] === 0);
var_dump($heir->call('remaining', 'x') > 0, $heir->call('unlock', 'x'), $redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
the holder renews it: yes
bool(true)
bool(true)
it was passed on: yes
it stays: yes
its new holder has renewed it: yes
the last one has not: yes
bool(true)
bool(true)
int(0)
