--TEST--
A section of synchronized() has the lock from the one before it, and passes it on, also when it throws
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
$machine->warmUp($workers);
[$holder, $first, $second] = $workers;
$third = $machine->worker();
$before = passed_on($workers);
$holder->call('lock', 'x');
$machine->lineUpFor([$first], 'run', 'return $lock->synchronized("x", fn () => "first", 20.0);');
$machine->lineUpFor([$second], 'run', 'return $lock->synchronized("x", fn () => throw new Exception("second"), 20.0);');
$machine->lineUp([$third], 'x', PATIENCE);
var_dump($holder->call('unlock', 'x'), $first->answer()['result'], $second->answer()['error']);
check_turns([$third]);
is_so('three were passed on', passed_on($workers) === $before + 3);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
string(5) "first"
string(17) "Exception: second"
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
three were passed on: yes
Array
(
)
