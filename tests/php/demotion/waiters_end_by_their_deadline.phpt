--TEST--
The server becomes a replica under waiters and stays one: each ends by its deadline with READONLY, never with "held"
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replica.inc';

$pair = new Demotable();
$redis = $pair->server->client();
$holder = new RedisLock($pair->server->dsn());
$waiters = Remote::startMany(6, $pair->server->dsn());
$holder->lock('x', null, 60.0);

$timeouts = [];
foreach ($waiters as $i => $waiter) {
    $waiter->begin('lock', 'x', $timeouts[$i] = 1.0 + $i * 0.3);
}
await_blocked($redis, 6);
$pair->demote();
$late = $early = -INF;
$told = 0;
foreach ($waiters as $i => $waiter) {
    $answer = $waiter->answer();
    if (str_contains((string) $answer['error'], 'READONLY')) {
        $told++;
    } elseif (!str_contains((string) $answer['error'], 'no answer in time')) { // as a busy machine gives none so late
        echo "waiter $i: ", json_encode($answer), "\n";
    }
    $late = max($late, $answer['ended'] - $answer['began'] - $timeouts[$i]);
    $early = max($early, $timeouts[$i] - $answer['ended'] + $answer['began']);
}
is_between('waiters that were told so', $told, 3, 6);
ms_between('ms too late, at most', $late * 1000, -1000, 50);
ms_between('ms too early, at most', $early * 1000, -1000, 1);

// Those that come to a replica are told at once, also if they would wait.
$seconds = seconds(fn () => $error = thrown(fn () => $holder->lock('y', 5.0)));
took_between('seconds until that', $seconds, 0, 0.05);

$pair->promote();
var_dump($holder->waiters('x') <= 6, $holder->unlock('x'));
$other = new RedisLock($pair->server->dsn());
took_between('seconds until another has it', seconds(fn () => var_dump($other->lock('x', 3.0))), 0, 1.5);
?>
--EXPECTF--
waiters that were told so: yes
ms too late, at most: yes
ms too early, at most: yes
RedisLockServerException: %sREADONLY%s
seconds until that: yes
bool(true)
bool(true)
bool(true)
seconds until another has it: yes
