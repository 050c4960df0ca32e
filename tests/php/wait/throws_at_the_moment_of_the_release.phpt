--TEST--
A waiter that its signal handler's exception ends at the very moment of the release: the name is free at once
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

const THROWS = 'pcntl_async_signals(true); pcntl_signal(SIGUSR1, fn () => throw new Exception("enough"));';
$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$waiter = Remote::start($server->dsn(), [], THROWS);

$parked = $odd = $left = 0;
for ($round = 0; $round < 300; $round++) {
    $holder->lock('x');
    $waiter->begin('lock', 'x', 10.0);
    await_blocked($redis, 1);
    $held_up = held_up();
    $waiter->signal('USR1');
    if ($round % 2) {
        usleep($round % 100 * 3);
    }
    $holder->unlock('x');
    $answer = $waiter->answer();
    $odd += $answer['error'] === 'Exception: enough' ? 0 : 1;
    // The server needs a moment for what the waiter wrote last; a parked baton lasts a second.
    $is_free = fn () => foreign_lock($redis, 'lock:x', 'theirs');
    if (!wait_until($is_free, 0.05) && !wait_until($is_free, held_up() - $held_up)) {
        $parked++;
        $redis->cmd('DEL', 'lock:x');
    }
    foreign_unlock($redis, 'lock:x', 'theirs');
    $left += our_keys($redis) ? 1 : 0;
    $redis->cmd('DEL', '{lock:x}:rl:baton', '{lock:x}:rl:wait');
}
is_so('always ended by the exception', $odd === 0, $odd);
is_so('always free at once', $parked === 0, $parked);
is_so('no key was left', $left === 0, $left);
?>
--EXPECT--
always ended by the exception: yes
always free at once: yes
no key was left: yes
