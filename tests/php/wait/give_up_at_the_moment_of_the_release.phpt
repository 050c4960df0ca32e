--TEST--
Waiters whose timeout ends at the very moment of the release: each says true or false, and what nobody took is free at once
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
$waiters = Remote::startMany(2, $server->dsn());

$parked = $lost = $true = $false = 0;
for ($round = 0; $round < 300; $round++) {
    $holder->lock('x');
    $start = now();
    foreach ($waiters as $waiter) {
        $waiter->begin('turn', 'x', 0.02, 0.0);
    }
    sleep_until($start + 0.016 + $round % 60 / 6000);
    $holder->unlock('x');
    foreach ($waiters as $waiter) {
        ['result' => $turn, 'error' => $error] = $waiter->answer();
        if (str_contains((string) $error, 'no answer in time')) {
            $false++; // a machine that is too busy to answer within so few ms
            continue;
        }
        $turn['got'] ? $true++ : $false++;
        $lost += $turn['got'] && !$turn['released'] ? 1 : 0;
    }
    if (!foreign_lock($redis, 'lock:x', 'theirs')) {
        $parked++;
        $redis->cmd('DEL', 'lock:x');
    } else {
        foreign_unlock($redis, 'lock:x', 'theirs');
    }
    if (our_keys($redis)) {
        $parked++;
    }
}
is_so('always free at once', $parked === 0, $parked);
is_so('never lost', $lost === 0, $lost);
is_so('some were served, some gave up', $true > 50 && $false > 50, [$true, $false]);
?>
--EXPECT--
always free at once: yes
never lost: yes
some were served, some gave up: yes
