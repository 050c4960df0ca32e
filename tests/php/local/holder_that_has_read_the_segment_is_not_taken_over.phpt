--TEST--
Takeover: a holder that has opened and closed the segment's file looks as if it were gone, and keeps its lock all the same
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
var_dump($holder->call('run', 'return strlen(file_get_contents("' . $machine->segment() . '")) > 0;'));
$waiter->begin('turn', 'x', PATIENCE);
await_blocked($redis, 1); // it is the head now, and stands in Redis' line
var_dump($holder->call('isLocking', 'x'), $holder->call('unlock', 'x'));
check_turns([$waiter]);
echo 'taken over: ', $waiter->call('stats')['taken_over'], "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
taken over: 0
