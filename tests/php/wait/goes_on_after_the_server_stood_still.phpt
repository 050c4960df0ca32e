--TEST--
A server that stands still for a while under waiters: they go on, and each gets its turn
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
$waiters = Remote::startMany(4, $server->dsn());
foreach ([0.5, 2.5] as $pause) {
    $holder->lock('x');
    line_up($redis, $waiters, 'x', 15.0, 0.005);
    $server->pause();
    usleep((int) ($pause * 1e6));
    $server->resume();
    await_blocked($redis, 4);
    var_dump($holder->unlock('x'));
    $answers = array_map(fn ($waiter) => $waiter->answer(), $waiters);
    $turns = array_column($answers, 'result');
    is_so('each had its turn, alone', count(array_filter(array_column($turns, 'released'))) === 4 && overlaps($turns) === 0, $answers);
}
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn, alone: yes
bool(true)
each had its turn, alone: yes
Array
(
)
