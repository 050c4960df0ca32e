--TEST--
Takeover: a worker that stands still keeps its lock, and releases it when it goes on
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
$machine = new Machine($server->dsn(), ['takeover' => true]);

[$holder, $waiter] = $workers = $machine->workers(2);
$machine->warmUp($workers);
$holder->call('lock', 'x');
$token = $redis->cmd('GET', 'lock:x');
$machine->lineUp([$waiter], 'x', PATIENCE);
$holder->signal('STOP');
usleep((int) (0.5e6));
echo 'in line: ', $machine->waiting(), ', the token is the same: ', json_encode($redis->cmd('GET', 'lock:x') === $token), "\n";
$holder->signal('CONT');
var_dump($holder->call('isLocking', 'x'), $holder->call('unlock', 'x'));
check_turns([$waiter]);
echo 'taken over: ', $waiter->call('stats')['taken_over'], "\n";
?>
--EXPECT--
in line: 1, the token is the same: true
bool(true)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
taken over: 0
