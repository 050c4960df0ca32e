--TEST--
12 waiters whose sections take 1 s get the lock in the order of their arrival; the last waits 12 s
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
$holder->lock('x');
$took = now();
$waiters = Remote::startMany(12, $server->dsn());
line_up($redis, $waiters, 'x', 20.0, 1.0);
sleep_until(max($took + 1, now() + 1));
var_dump($holder->unlock('x'));

$answers = check_turns($waiters);
took_between('seconds that the last waited', $answers[11]['result']['from'] - $answers[11]['began'], 12, 12.6);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds that the last waited: yes
Array
(
)
