--TEST--
FLUSHALL while a lock is held: unlock() is false, the next worker knows it from the answer, and those behind it go on
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

$workers = $machine->workers(5);
$machine->warmUp($workers);
[$holder, $next] = array_splice($workers, 0, 2);
$holder->call('lock', 'x');
$machine->lineUpFor([$next], 'lock', 'x', PATIENCE);
$machine->lineUp($workers, 'x', PATIENCE, 0.005);
$redis->cmd('FLUSHALL');
var_dump($holder->call('unlock', 'x'));
$next->answer(); // true: it began before the answer
var_dump($next->call('isLocking', 'x'), $next->call('unlock', 'x'));
check_turns($workers);
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
