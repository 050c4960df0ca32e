--TEST--
A waiter ends by the exception of its handler, and the holder is killed: the next has the lock within 250 ms after the end of the lease, whichever of them it was that left
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
$waiters = Remote::startMany(6, $server->dsn(), [], THROWS);

$after = [];
for ($round = 0; $round < 6; $round++) {
    $holder = Remote::start($server->dsn());
    $holder->call('lock', 'x', 0.0, 0.8);
    line_up($redis, $waiters, 'x', 10.0, 0.0);
    usleep(random_int(0, 500000));
    $lease_end = now() + $redis->cmd('PTTL', 'lock:x') / 1000;
    $holder->signal('KILL');
    $waiters[$round]->signal('USR1');
    $answers = array_map(fn ($waiter) => $waiter->answer(), $waiters);
    $from = array_map(fn ($answer) => $answer['result']['from'] ?? INF, $answers);
    if (array_keys($from, INF) !== [$round]) {
        echo 'NOT THE ONE THAT WAS TO LEAVE, LEFT: ', json_encode($answers), "\n";
    }
    $after[] = (min($from) - $lease_end) * 1000;
}
ms_between('ms after the end of the lease, at most', max($after), -2, 250);
?>
--EXPECT--
ms after the end of the lease, at most: yes
