--TEST--
8 waiters behind a holder that was killed get the lock in the order of their arrival
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
$waiters = Remote::startMany(8, $server->dsn());

for ($round = 1; $round <= 3; $round++) {
    $holder = Remote::start($server->dsn());
    $holder->call('lock', 'x', 0.0, 1.5);
    line_up($redis, $waiters, 'x', 10.0, 0.005, 0.03);
    $lease_end = now() + $redis->cmd('PTTL', 'lock:x') / 1000;
    $holder->signal('KILL');
    $answers = check_turns($waiters);
    ms_between('ms from the end of the lease to the first turn', ($answers[0]['result']['from'] - $lease_end) * 1000, -2, 250);
    shuffle($waiters);
}
print_r(all_keys($redis));
?>
--EXPECT--
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
ms from the end of the lease to the first turn: yes
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
ms from the end of the lease to the first turn: yes
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
ms from the end of the lease to the first turn: yes
Array
(
)
