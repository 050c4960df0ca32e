--TEST--
A server that comes back empty under those in line here: the holder has lost the lock, and each of them gets its turn
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

$workers = $machine->workers(6);
$machine->warmUp($workers);
$holder = array_shift($workers);
$holder->call('lock', 'x');
$machine->lineUp($workers, 'x', PATIENCE, 0.005);
$server->kill();
usleep(300000);
$server->restart();
$redis = $server->client();
$up = now();
var_dump($holder->call('unlock', 'x'));
$answers = array_map(fn ($worker) => $worker->answer(), $workers);
$turns = array_column($answers, 'result');
is_so('each had its turn', count(array_filter(array_column($turns, 'got'))) === 5, $answers);
// The first one began with what the server had lost.
is_so('one of them at most has lost it', count(array_filter(array_column($turns, 'released'))) >= 4, $turns);
is_so('one after another', overlaps($turns) === 0);
took_between('seconds until all were through', max(array_column($turns, 'until')) - $up, 0, 2);
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
each had its turn: yes
one of them at most has lost it: yes
one after another: yes
seconds until all were through: yes
Array
(
)
