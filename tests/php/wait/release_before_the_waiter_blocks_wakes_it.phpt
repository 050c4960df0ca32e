--TEST--
A release between a waiter that finds the lock held and its BLPOP wakes it all the same
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

// Released the moment the waiter stands in the set, and before: the BLPOP comes a little later.
$woken = [];
for ($round = 1; $round <= 400; $round++) {
    $holder->lock('x');
    $waiter->begin('turn', 'x', 10.0);
    if ($round % 2) {
        while ($redis->cmd('EXISTS', '{lock:x}:rl:wait') === 0);
    } else {
        for ($until = hrtime(true) + $round * 500; hrtime(true) < $until;);
    }
    $released = now();
    $holder->unlock('x');
    $turn = $waiter->answer()['result'];
    if (!$turn['got'] || !$turn['released']) {
        echo "round $round: ", json_encode($turn), "\n";
    }
    $woken[] = ($turn['from'] - $released) * 1000;
}
ms_between('ms, median', median($woken), -1, 10, count($woken));
ms_between('ms, at most', max($woken), -1, 500);
print_r(all_keys($redis));
?>
--EXPECT--
ms, median: yes
ms, at most: yes
Array
(
)
