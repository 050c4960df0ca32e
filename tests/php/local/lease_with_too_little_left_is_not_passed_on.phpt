--TEST--
A lock whose lease has less left than a waiter needs to begin with is released, and the waiter takes it from Redis
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

[$holder, $waiter] = $machine->workers(2);
$holder->call('lock', 'x', 0.0, 10.0);
$machine->lineUp([$waiter], 'x', PATIENCE, 0.0, 30.0);
var_dump($holder->call('unlock', 'x'));
check_turns([$waiter]);
is_so('none was passed on', passed_on([$holder, $waiter]) === 0);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
none was passed on: yes
Array
(
)
