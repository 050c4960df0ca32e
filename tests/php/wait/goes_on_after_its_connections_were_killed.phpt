--TEST--
CLIENT KILL under waiters: they reconnect by themselves, and each gets its turn
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
$woken = [];
for ($round = 1; $round <= 5; $round++) {
    $holder->lock('x');
    line_up($redis, $waiters, 'x', 10.0, 0.001);
    usleep(random_int(0, 200000));
    $redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await_blocked($redis, 8);
    is_so('all wait again', $holder->waiters('x') === 8, $holder->waiters('x'));
    $released = now();
    var_dump($holder->unlock('x'));
    $answers = array_map(fn ($waiter) => $waiter->answer(), $waiters);
    $turns = array_column($answers, 'result');
    is_so('each had its turn, alone', count(array_filter(array_column($turns, 'released'))) === 8 && overlaps($turns) === 0, $answers);
    $woken[] = (max(array_column($turns, 'until')) - $released) * 1000;
}
ms_between('ms until all were through, median', median($woken), 0, 200, count($woken));
ms_between('ms until all were through, at most', max($woken), 0, 900); // no baton went to a connection that is gone
print_r(all_keys($redis));
?>
--EXPECT--
all wait again: yes
bool(true)
each had its turn, alone: yes
all wait again: yes
bool(true)
each had its turn, alone: yes
all wait again: yes
bool(true)
each had its turn, alone: yes
all wait again: yes
bool(true)
each had its turn, alone: yes
all wait again: yes
bool(true)
each had its turn, alone: yes
ms until all were through, median: yes
ms until all were through, at most: yes
Array
(
)
