--TEST--
A worker that is killed while it asks Redis for its machine is followed by the next one in line
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
foreign_lock($redis, 'lock:x', 'theirs');
$workers[0]->begin('lock', 'x', PATIENCE);
await_blocked($redis, 1);
$machine->lineUp(array_slice($workers, 1), 'x', PATIENCE);
$killed = now();
$workers[0]->worker->kill();
$machine->awaitWaiting(1);
took_between('seconds until the next one asks', now() - $killed, 0, 0.5);
await_blocked($redis, 1);
var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
check_turns(array_slice($workers, 1));
?>
--EXPECT--
seconds until the next one asks: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
