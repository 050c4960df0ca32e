--TEST--
A foreign release, which sends no signal, is noticed within retry_interval and 20 ms
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
foreach ([[0.1, 1], [0.1, 8], [0.03, 3]] as [$interval, $count]) {
    $waiters = Remote::startMany($count, $server->dsn(), ['retry_interval' => $interval]);
    $over = [];
    for ($try = 1; $try <= 15; $try++) {
        foreign_lock($redis, 'lock:x', 'theirs');
        foreach ($waiters as $waiter) {
            $waiter->begin('turn', 'x', 10.0);
        }
        await_blocked($redis, $count);
        usleep(random_int(100000, 250000));
        $released = now();
        if (!foreign_unlock($redis, 'lock:x', 'theirs')) {
            echo "THE FOREIGN LOCK WAS LOST\n";
        }
        $turns = array_map(fn ($waiter) => $waiter->answer()['result'], $waiters);
        if (in_array(false, array_column($turns, 'got'), true) || overlaps($turns) > 0) {
            echo "NOT EACH HAD ITS TURN\n";
        }
        $over[] = (min(array_column($turns, 'from')) - $released - $interval) * 1000;
    }
    // The issue's 20 ms hold for all but what a busy machine delays: one in five may take longer, none 100 ms longer.
    ms_between("$count waiters, retry_interval $interval: ms over the interval", percentile($over, 0.8), -1000 * $interval, 20, count($over));
    ms_between("$count waiters, retry_interval $interval: ms over the interval, at most", max($over), -1000 * $interval, 120);
}
print_r(all_keys($redis));
?>
--EXPECT--
1 waiters, retry_interval 0.1: ms over the interval: yes
1 waiters, retry_interval 0.1: ms over the interval, at most: yes
8 waiters, retry_interval 0.1: ms over the interval: yes
8 waiters, retry_interval 0.1: ms over the interval, at most: yes
3 waiters, retry_interval 0.03: ms over the interval: yes
3 waiters, retry_interval 0.03: ms over the interval, at most: yes
Array
(
)
