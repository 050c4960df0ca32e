--TEST--
A waiter whose lock reaches too few replicas hands it to the next one, and is told why
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated();
$redis = $servers->server->client();
$holder = new RedisLock($servers->server->dsn());
[$first] = Remote::startMany(1, $servers->server->dsn(), ['replicas' => 2]);
[$second] = Remote::startMany(1, $servers->server->dsn());

foreach (['lock' => ['x', 20.0, 0.4], 'lockAll' => [['x', 'y'], 20.0, 0.4]] as $method => $args) {
    do {
        $holder->lock('x');
        $first->begin($method, ...$args);
        await_blocked($redis, 1);
        $second->begin('lock', 'x', 20.0);
        await_blocked($redis, 2);
        $servers->pauseOne();
        $before = held_up();
        $holder->unlock('x');
        $failed = $first->answer();
        $got = $second->answer();
        $second->call('unlock', 'x');
        $servers->replicas[0]->resume();
    } while (is_late($failed['error'], $before));
    echo $failed['error'], "\n";
    var_dump($got['result']);
    is_between('at once', $got['ended'] - $failed['ended'], -0.1, slow(0.1) + held_up());
    echo 'left: ', $servers->left(), "\n";
}
echo "With enough of them:\n";
$holder->lock('x');
$first->begin('lock', 'x', 20.0);
await_blocked($redis, 1);
$holder->unlock('x');
var_dump($first->answer()['result']);
$servers->have('they have it', 'lock:x', $first->call('token', 'x'));
?>
--EXPECTF--
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "x")
bool(true)
at once: yes
left: 
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "x")
bool(true)
at once: yes
left: 
With enough of them:
bool(true)
they have it: yes
