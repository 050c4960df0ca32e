--TEST--
A release wakes the waiter in milliseconds, 1 000 times out of 1 000
--CONFLICTS--
all
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
$waiter = Remote::start($server->dsn());

$woken = [];
for ($round = 1; $round <= 1000; $round++) {
    $holder->lock('x');
    $waiter->begin('turn', 'x', 10.0);
    await_blocked($redis, 1);
    $released = now();
    $holder->unlock('x');
    $turn = $waiter->answer()['result'];
    if (!$turn['got'] || !$turn['released']) {
        echo "round $round: ", json_encode($turn), "\n";
    }
    $woken[] = ($turn['from'] - $released) * 1000;
}
// Measured: p50 0.2 ms, p99 0.4 ms. One that was missed by its signal would take a look, or the grace of a second.
ms_between('ms, median', median($woken), 0, 10, count($woken));
ms_between('ms, p99', percentile($woken, 0.99), 0, 50, count($woken));
ms_between('ms, at most', max($woken), 0, 500);
print_r(all_keys($redis));
?>
--EXPECT--
ms, median: yes
ms, p99: yes
ms, at most: yes
Array
(
)
