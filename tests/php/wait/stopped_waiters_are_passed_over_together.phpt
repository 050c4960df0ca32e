--TEST--
Twelve waiters in front are stopped when the lock is released: they are passed over together, and those behind have their turns in order
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
$stopped = Remote::startMany(12, $server->dsn());
$living = Remote::startMany(4, $server->dsn());

$holder->lock('x');
line_up($redis, [...$stopped, ...$living], 'x', 60.0, 0.01);
foreach ($stopped as $waiter) {
    $waiter->signal('STOP');
}
usleep(800000); // into the timetable of those that live
$released = now();
var_dump($holder->unlock('x'));
$answers = check_turns($living);
took_between('seconds until the first that lives', $answers[0]['result']['from'] - $released, 0.0, 4.0);
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds until the first that lives: yes
