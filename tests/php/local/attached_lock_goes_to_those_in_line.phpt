--TEST--
A lock that was detached with waiters in line, and attached by another process, goes to them when that releases it
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

$workers = $machine->workers(4);
[$holder, $other, $first, $second] = $workers;
$holder->call('lock', 'x');
$machine->lineUp([$first, $second], 'x', PATIENCE, 0.02);
$token = $holder->call('detach', 'x');
wait_until(fn () => blocked($redis) === 1); // the first one asks Redis, since nobody here has the lock any more
var_dump($machine->waiting(), $other->call('attach', 'x', $token), $other->call('isLocking', 'x'), $other->call('unlock', 'x'));
check_turns([$first, $second]);
print_r(all_keys($redis));
?>
--EXPECT--
int(1)
bool(true)
bool(true)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
