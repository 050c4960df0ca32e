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

$parked = $odd = 0;
for ($round = 0; $round < 300; $round++) {
    $holder->lock('x');
    $waiter->begin('lock', 'x', 10.0);
    await_blocked($redis, 1);
    if ($round % 2) {
        $waiter->signal('USR1');
        usleep($round % 100 * 3);
        $holder->unlock('x');
    } else {
        $waiter->signal('USR1');
        $holder->unlock('x');
    }
    $answer = $waiter->answer();
    $odd += $answer['error'] === 'Exception: enough' ? 0 : 1;
    if (!foreign_lock($redis, 'lock:x', 'theirs')) {
        $parked++;
        $redis->cmd('DEL', 'lock:x');
    } else {
        foreign_unlock($redis, 'lock:x', 'theirs');
    }
    $redis->cmd('DEL', '{lock:x}:rl:baton', '{lock:x}:rl:wait');
}
is_so('always ended by the exception', $odd === 0, $odd);
is_so('always free at once', $parked === 0, $parked);
?>
--EXPECT--
always ended by the exception: yes
always free at once: yes
