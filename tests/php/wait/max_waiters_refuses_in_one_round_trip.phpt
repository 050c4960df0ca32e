--TEST--
Where max_waiters wait already, lock() returns false at once, in one round trip; when one has left, there is room again
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
$wire = new Wire($server);
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiters = Remote::startMany(2, $server->dsn(), ['max_waiters' => 2]);
$third = new RedisLock($wire->dsn(), ['max_waiters' => 2]);
$third->owner('nobody');
$third->lock('x'); // the script is in the server's cache, the connection is open
line_up($redis, $waiters, 'x', 10.0, 0.0);

$wire->forget();
$took = seconds(fn () => var_dump($third->lock('x', 10.0)));
print_r($wire->requests());
var_dump($wire->roundTrips());
took_between('seconds', $took, 0, 0.5);

var_dump($holder->unlock('x'));
check_turns($waiters);
var_dump($third->lock('x', 10.0), $third->unlock('x'));
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
Array
(
    [0] => EVALSHA
)
int(1)
seconds: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
bool(true)
Array
(
)
