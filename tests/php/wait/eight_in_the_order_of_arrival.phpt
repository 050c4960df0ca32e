--TEST--
8 waiters that arrive 30 ms apart get the lock in the order of their arrival
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

for ($round = 1; $round <= 4; $round++) {
    $holder->lock('x');
    line_up($redis, $waiters, 'x', 10.0, 0.005, 0.03);
    var_dump($holder->unlock('x'));
    check_turns($waiters);
    shuffle($waiters);
}
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
