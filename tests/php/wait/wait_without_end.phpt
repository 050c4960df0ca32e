--TEST--
lock() with a timeout of INF waits until it has it
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
$holder->lock('x', expire: INF);
$waiters = Remote::startMany(3, $server->dsn());
line_up($redis, $waiters, 'x', INF, 0.01, lease: INF);
usleep(500000);
is_so('all wait', $holder->waiters('x') === 3 && blocked($redis) === 3);
var_dump($holder->unlock('x'));
check_turns($waiters);
print_r(all_keys($redis));
?>
--EXPECT--
all wait: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
