--TEST--
Many waiters end by the exceptions of their handlers at once, and the holder is killed: the one that stays has the lock after one round of looks at the latest
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
$leave = Remote::startMany(12, $server->dsn(), [], THROWS);
$stays = Remote::start($server->dsn());

$after = [];
for ($round = 1; $round <= 3; $round++) {
    $holder = Remote::start($server->dsn());
    $holder->call('lock', 'x', 0.0, 1.0);
    line_up($redis, [...$leave, $stays], 'x', 10.0, 0.0);
    $lease_end = now() + $redis->cmd('PTTL', 'lock:x') / 1000;
    $holder->signal('KILL');
    foreach ($leave as $remote) {
        $remote->signal('USR1');
    }
    foreach ($leave as $remote) {
        $remote->answer();
    }
    $turn = $stays->answer()['result'];
    $after[] = ($turn['from'] - $lease_end) * 1000;
}
// The looks of the others went with them: the one that stays looks when its turn in that round comes, 140 ms a waiter.
ms_between('ms after the end of the lease, at most', max($after), -2, 13 * 140 + 250);
?>
--EXPECT--
ms after the end of the lease, at most: yes
