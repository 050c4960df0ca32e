--TEST--
A waiter that was served and then stood still for longer than the grace claims nothing that another has
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
[$sleeper, $next] = Remote::startMany(2, $server->dsn());

$holder->lock('x');
line_up($redis, [$sleeper], 'x', 15.0, 0.0);
$next->begin('lock', 'x', 15.0);
await_blocked($redis, 2);
$sleeper->signal('STOP');
var_dump($holder->unlock('x')); // the baton lies in the socket of the one that stands still
var_dump($next->answer()['result']);

$sleeper->signal('CONT');
await_blocked($redis, 1); // its claim was refused, and it is back in line
var_dump($next->call('isLocking', 'x'));
is_so('it waits again', $holder->waiters('x') === 1, $holder->waiters('x'));
usleep(300000);
$released = now();
var_dump($next->call('unlock', 'x'));
$turn = $sleeper->answer()['result'];
is_so('it had its turn then', $turn['got'] && $turn['released'] && $turn['from'] >= $released, $turn);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
it waits again: yes
bool(true)
it had its turn then: yes
Array
(
)
