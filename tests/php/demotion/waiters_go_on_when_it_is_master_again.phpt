--TEST--
The server is a replica for a second under waiters: they go on when it is master again, one after the other
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

foreach (['still held' => false, 'gone, since the data were another\'s' => true] as $lock => $takesItsData) {
    $holder->lock('x', null, 60.0);
    line_up($redis, $waiters, 'x', 15.0, 0.01);
    $pair->demote($takesItsData);
    usleep(1000000);
    is_so("$lock: nobody has given up", blocked($redis) === 0 && array_filter($waiters, fn ($w) => $w->worker->isRunning()) === $waiters);
    $pair->promote();
    $up = now();
    $released = $holder->isLocking('x');
    if ($released) {
        usleep(700000); // they are in the queue again
        $up = now();
    }
    var_dump($released, $holder->unlock('x'));
    $answers = array_map(fn ($waiter) => $waiter->answer(), $waiters);
    $turns = array_column($answers, 'result');
    is_so('each had its turn, alone', count(array_filter(array_column($turns, 'released'))) === 6 && overlaps($turns) === 0, $answers);
    took_between('seconds until all were through', max(array_column($turns, 'until')) - $up, 0, 1.5);
    // A replica refuses that a waiter leaves, so its first place in line may stay there until it ends by itself.
    wait_until(fn () => all_keys($redis) === [], 10.0);
    print_r(all_keys($redis));
}
?>
--EXPECT--
still held: nobody has given up: yes
bool(true)
bool(true)
each had its turn, alone: yes
seconds until all were through: yes
Array
(
)
gone, since the data were another's: nobody has given up: yes
bool(false)
bool(false)
each had its turn, alone: yes
seconds until all were through: yes
Array
(
)
