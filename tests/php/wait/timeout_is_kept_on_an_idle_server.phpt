--TEST--
A wait ends at its timeout, at most 50 ms later, on a server where nothing else happens
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
$holder->lock('ours');
foreign_lock($redis, 'lock:theirs', 'their token');
$lock = new RedisLock($server->dsn());

$early = $late = [];
foreach (['ours', 'theirs'] as $name) {
    foreach ([0.001, 0.002, 0.0035, 0.01, 0.05, 0.0997, 0.137, 0.25, 0.5, 0.73, 1.003, 1.25] as $timeout) {
        held_up_from_now();
        $took = seconds(function () use ($lock, $name, $timeout) {
            if ($lock->lock($name, $timeout)) {
                echo "$name: TAKEN\n";
            }
        });
        $early[] = $timeout - $took - held_up();
        $late[] = $took - $timeout - held_up();
    }
}
// Measured: 0.3 to 4 ms late. The last question is asked early enough for its answer, which is slow on a busy machine.
is_between('ms too early, at most', max($early) * 1000, -1000, 0.5);
is_between('ms too late, at most', max($late) * 1000, -1000, 1000 * slow(0.05));
is_so('nobody waits any more', our_keys($redis) === [], our_keys($redis));
?>
--EXPECT--
ms too early, at most: yes
ms too late, at most: yes
nobody waits any more: yes
