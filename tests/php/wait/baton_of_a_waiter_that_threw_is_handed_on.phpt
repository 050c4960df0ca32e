--TEST--
A waiter is served, and its signal handler throws before it knows: the baton goes to the next at once
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
$next = Remote::start($server->dsn());
$leaves = Remote::start($server->dsn(), [], THROWS);

foreach (['one waits behind it', 'nobody waits behind it'] as $what) {
    $after = [];
    for ($round = 1; $round <= 8; $round++) {
        $holder->lock('x');
        line_up($redis, [$leaves], 'x', 10.0, 0.0);
        if ($what === 'one waits behind it') {
            line_up($redis, [$next], 'x', 10.0, 0.0);
        }
        $leaves->signal('STOP');
        $holder->unlock('x'); // the baton lies in the stopped waiter's socket
        $leaves->signal('USR1');
        $continued = now();
        $leaves->signal('CONT');
        $answer = $leaves->answer();
        // It may have claimed first; then the handler ran a moment later, and the lock was given back.
        if ($answer['error'] !== 'Exception: enough' && $answer['result'] === null) {
            echo 'NOT ENDED BY THE EXCEPTION: ', json_encode($answer), "\n";
        }
        if ($what === 'one waits behind it') {
            $after[] = ($next->answer()['result']['from'] - $continued) * 1000;
        } else {
            foreign_lock($redis, 'lock:x', 'theirs') && foreign_unlock($redis, 'lock:x', 'theirs');
            $after[] = (now() - $continued) * 1000;
        }
        if (!wait_until(fn () => all_keys($redis) === [], 0.1)) {
            echo "$what: LEFT ", implode(' ', all_keys($redis)), ' ', $redis->cmd('GET', 'lock:x'), "\n";
            wait_until(fn () => all_keys($redis) === [], 8.0);
        }
    }
    ms_between("$what: ms, median", median($after), 0, 20, count($after));
    ms_between("$what: ms, at most", max($after), 0, 300);
}
?>
--EXPECT--
one waits behind it: ms, median: yes
one waits behind it: ms, at most: yes
nobody waits behind it: ms, median: yes
nobody waits behind it: ms, at most: yes
