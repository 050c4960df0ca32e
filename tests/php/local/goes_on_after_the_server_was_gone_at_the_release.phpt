--TEST--
A server that is gone when the lock is released: the holder and the next worker fail, and those in line behind it go on when it is back
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
$failed = outcome(fn () => $holder->call('unlock', 'x'));
is_so('the holder fails', str_contains($failed, 'RedisLockConnectionException'), $failed);
$next = $workers[0]->answer();
is_so('the next one fails as well', str_contains((string) $next['error'], 'RedisLockConnectionException'), $next);
usleep(300000);
$server->restart();
$redis = $server->client();
$up = now();
$answers = check_turns(array_slice($workers, 1));
took_between('seconds until all were through', $answers[3]['ended'] - $up, 0, 2);
print_r(all_keys($redis));
?>
--EXPECT--
the holder fails: yes
the next one fails as well: yes
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds until all were through: yes
Array
(
)
