--TEST--
A lock without end is released and not passed on, and those that wait for one without end go to Redis
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

[$holder, $first, $second] = $machine->workers(3);
$holder->call('lock', 'x', 0.0, INF);
$first->begin('turn', 'x', PATIENCE, 0.0, LEASE);
await_blocked($redis, 1);
$machine->lineUp([$second], 'x', INF);
var_dump($holder->call('unlock', 'x'));
check_turns([$first, $second]);
is_so('the second one was passed it', passed_on([$holder, $first, $second]) === 1);

$holder->call('lock', 'x');
$first->begin('turn', 'x', PATIENCE, 0.0, INF);
await_blocked($redis, 1);
var_dump($holder->call('unlock', 'x'));
check_turns([$first]);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
the second one was passed it: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
