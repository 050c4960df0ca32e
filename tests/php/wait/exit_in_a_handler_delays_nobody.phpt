--TEST--
Waiters that end by exit in a signal handler delay nobody, and leave nothing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

const EXITS = 'pcntl_async_signals(true); pcntl_signal(SIGUSR1, function () { echo "bye\n"; exit(3); });';
$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$stays = Remote::start($server->dsn());

$left = $woken = [];
for ($round = 1; $round <= 5; $round++) {
    $leave = Remote::startMany(3, $server->dsn(), [], EXITS);
    // What it holds besides is released as at any other end of a request.
    $leave[1]->call('lock', 'another', 0.0, 60.0);
    $holder->lock('x');
    line_up($redis, [$leave[0], $leave[1]], 'x', 10.0, 0.0);
    $stays->begin('turn', 'x', 10.0);
    await_blocked($redis, 3);
    line_up($redis, [$leave[2]], 'x', 10.0, 0.0);
    usleep(random_int(0, 300000));
    $signalled = now();
    foreach ($leave as $remote) {
        $remote->signal('USR1');
    }
    foreach ($leave as $remote) {
        if ($remote->worker->output() !== "bye\n" || $remote->worker->wait() !== 3) {
            echo "NOT ENDED BY EXIT\n";
        }
    }
    await_only_one($redis, $holder, 'x');
    $released = now();
    $left[] = ($released - $signalled) * 1000;
    $holder->unlock('x');
    $turn = $stays->answer()['result'];
    if (!$turn['got'] || !$turn['released']) {
        echo "THE ONE THAT STAYS DID NOT GET IT\n";
    }
    $woken[] = ($turn['from'] - $released) * 1000;
    if (all_keys($redis)) {
        echo 'LEFT: ', implode(' ', all_keys($redis)), "\n";
    }
}
ms_between('ms from the signal to a queue without them, median', median($left), 0, 100, count($left));
ms_between('ms from the signal to a queue without them, at most', max($left), 0, 300);
ms_between('ms from the release to the one that stays, median', median($woken), 0, 20, count($woken));
ms_between('ms from the release to the one that stays, at most', max($woken), 0, 200);
?>
--EXPECT--
ms from the signal to a queue without them, median: yes
ms from the signal to a queue without them, at most: yes
ms from the release to the one that stays, median: yes
ms from the release to the one that stays, at most: yes
