--TEST--
A worker that asks Redis for its machine fails at its deadline, since the server stands still: those with more time go on
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
$machine->warmUp($workers);
foreign_lock($redis, 'lock:x', 'theirs');
$workers[0]->begin('lock', 'x', 2.0);
await_blocked($redis, 1);
$machine->lineUp(array_slice($workers, 1), 'x', PATIENCE);
$server->pause();
$answer = $workers[0]->answer();
echo strtok($answer['error'] ?? json_encode($answer['result']), ':'), "\n";
ms_between('ms past the timeout', 1000 * ($answer['ended'] - $answer['began'] - 2.0), -1, 50);
$server->resume();
var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
check_turns(array_slice($workers, 1));
?>
--EXPECT--
RedisLockConnectionException
ms past the timeout: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
