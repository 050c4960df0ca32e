--TEST--
8 waiters on one name send at most 8 requests a second together while the holder sits still
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
$holder->lock('x', expire: 60.0);
$waiters = Remote::startMany(8, $server->dsn());
line_up($redis, $waiters, 'x', 20.0, 0.0);

usleep(300000);
$before = request_calls($redis);
$began = now();
sleep_until($began + 5);
$rate = (request_calls($redis) - $before) / (now() - $began);
// Below one in 250 ms nobody would notice in time that the holder died.
is_between('requests a second', $rate, 4, 8);
var_dump($holder->unlock('x'));
check_turns($waiters);
?>
--EXPECT--
requests a second: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
