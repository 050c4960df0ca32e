--TEST--
A waiter that was served is killed before its claim: the next has the lock after the 0.3 s that it had for it, and 250 ms
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
$after = [];
foreach ([1, 2, 8] as $count) {
    $waiters = Remote::startMany($count, $server->dsn());
    for ($try = 1; $try <= 2 / sqrt($count); $try++) {
        $first = Remote::start($server->dsn());
        wait_until(fn () => $holder->lock('x')); // see below
        $first->begin('lock', 'x', 10.0);
        await_blocked($redis, 1);
        line_up($redis, $waiters, 'x', 10.0, 0.0);
        $first->signal('STOP');
        usleep(random_int(20000, 200000));
        $released = now();
        $holder->unlock('x');
        if (blocked($redis) !== $count || !str_starts_with((string) $redis->cmd('GET', 'lock:x'), 'rl:baton:')) {
            echo "THE FIRST WAITER WAS NOT SERVED\n";
        }
        $first->signal('KILL');
        $turns = array_map(fn ($waiter) => $waiter->answer()['result'], $waiters);
        if (in_array(false, array_column($turns, 'got'), true) || overlaps($turns) > 0) {
            echo "$count waiters: NOT EACH HAD ITS TURN\n";
        }
        $after[] = (min(array_column($turns, 'from')) - $released) * 1000;
    }
}
ms_between('ms after the release, at least', min($after), 295, 550);
ms_between('ms after the release, at most', max($after), 295, 550);
// While the dead waiter's entry lives, a release hands over to nobody; that baton soon counts as free.
is_so('the lock can be had soon', wait_until(fn () => $holder->lock('x'), 0.8));
$holder->unlock('x');
is_so('no key is left after some seconds', wait_until(fn () => all_keys($redis) === [], 8.0), all_keys($redis));
?>
--EXPECT--
ms after the release, at least: yes
ms after the release, at most: yes
the lock can be had soon: yes
no key is left after some seconds: yes
