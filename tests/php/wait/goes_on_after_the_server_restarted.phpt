--TEST--
A server that is down for a second, and comes back empty, under waiters: they go on by themselves, and each gets its turn
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$waiters = Remote::startMany(8, $server->dsn());
$holder->lock('x');
line_up($redis, $waiters, 'x', 15.0, 0.005);

$server->kill();
usleep(1000000);
$server->restart();
$up = now();
$redis = $server->client();
$answers = array_map(fn ($waiter) => $waiter->answer(), $waiters);
$turns = array_column($answers, 'result');
is_so('each had its turn, alone', count(array_filter(array_column($turns, 'released'))) === 8 && overlaps($turns) === 0, $answers);
took_between('seconds until all were through', max(array_column($turns, 'until')) - $up, 0, 2);
// The server lost the holder's lock, as a server without persistence does.
var_dump($holder->unlock('x'));
print_r(all_keys($redis));
?>
--EXPECT--
each had its turn, alone: yes
seconds until all were through: yes
bool(false)
Array
(
)
