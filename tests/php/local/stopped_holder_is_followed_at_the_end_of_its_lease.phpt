--TEST--
A holder that stands still beyond its lease: the others go on, and its unlock() is false
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

$lease = slow(0.8);
$workers = $machine->workers(3);
$machine->warmUp($workers);
[$holder, $first, $second] = $workers;
$holder->call('lock', 'x', 0.0, $lease);
$taken = now();
$machine->lineUp([$first, $second], 'x', PATIENCE, 0.05);
$holder->signal('STOP');
$answers = check_turns([$first, $second]);
took_between('seconds', $answers[0]['result']['from'] - $taken, $lease - 0.1, $lease + 0.5);
$holder->signal('CONT');
var_dump($holder->call('unlock', 'x'), $holder->call('held'));

// Also while another one has the lock.
$holder->call('lock', 'x', 0.0, $lease);
$machine->lineUpFor([$first], 'lock', 'x', PATIENCE);
$holder->signal('STOP');
$first->answer();
$holder->signal('CONT');
$machine->lineUp([$second], 'x', PATIENCE);
var_dump($holder->call('unlock', 'x'), $first->call('isLocking', 'x'), $first->call('unlock', 'x'));
check_turns([$second]);
print_r(all_keys($redis));
?>
--EXPECT--
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds: yes
bool(false)
array(0) {
}
bool(false)
bool(true)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
