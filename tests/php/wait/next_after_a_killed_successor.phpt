--TEST--
A holder that got the lock by hand-over, with a shorter lease than its predecessor, is killed: the next has it within 250 ms after the end of that lease
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
    for ($try = 1; $try <= 3; $try++) {
        $successor = Remote::start($server->dsn());
        $holder->lock('x', expire: 30);
        $successor->begin('lock', 'x', 10.0, slow([0.06, 0.2, 0.45][$try - 1]));
        await_blocked($redis, 1);
        line_up($redis, $waiters, 'x', 10.0, 0.0);
        usleep(random_int(0, 200000));
        $holder->unlock('x');
        $successor->answer();
        $lease_end = now() + $redis->cmd('PTTL', 'lock:x') / 1000;
        $successor->signal('KILL');
        $turns = array_map(fn ($waiter) => $waiter->answer()['result'], $waiters);
        if (in_array(false, array_column($turns, 'got'), true) || overlaps($turns) > 0) {
            echo "$count waiters: NOT EACH HAD ITS TURN\n";
        }
        $after[] = (min(array_column($turns, 'from')) - $lease_end) * 1000;
    }
}
ms_between('never before the end of the lease, ms', min($after), -2, 250);
ms_between('ms after the end of the lease, at most', max($after), -2, 250);
print_r(all_keys($redis));
?>
--EXPECT--
never before the end of the lease, ms: yes
ms after the end of the lease, at most: yes
Array
(
)
