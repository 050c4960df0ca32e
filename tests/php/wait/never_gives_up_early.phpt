--TEST--
A wait never ends before its timeout, also on a server that is busy and looks at its timeouts all the time
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
foreign_lock($redis, 'lock:x', 'theirs');
$busy = Worker::start(<<<'PHP'
    require $argv[2];
    for ($redis = new RawClient($argv[1]);;) {
        $redis->cmd('PING');
        usleep(200);
    }
    PHP, [$server->addressOf('lock:x'), __DIR__ . '/../inc/client.inc']);
$lock = new RedisLock($server->dsn());
$lock->lock('x', slow(0.1)); // connects, which 10 ms may be too short for
$early = [];
foreach ([0.01, 0.0305, 0.0707, 0.15, 0.3, 0.6] as $timeout) {
    for ($try = 1; $try <= 3; $try++) {
        held_up_from_now();
        $took = seconds(fn () => $lock->lock('x', $timeout));
        $early[] = ($timeout - $took - held_up()) * 1000; // the last question is asked earlier where answers are slow
    }
}
is_between('ms too early, at most', max($early), -INF, under_valgrind() ? 50 : 0); // there the process itself makes them slow
?>
--EXPECT--
ms too early, at most: yes
