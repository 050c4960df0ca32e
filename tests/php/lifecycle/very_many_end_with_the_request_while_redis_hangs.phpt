--TEST--
The end of a request is as short with 100 000 locks of one object, or with 5 000 objects, on a Redis that hangs
--DESCRIPTION--
Leaves memory to PHP's allocator.
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the bounds are for a PHP at full speed');
?>
--FILE--
<?php
require __DIR__ . '/ends.inc';

$server = RedisServer::start();
$redis = $server->client(60); // those that come while it is stopped may fill the queue of new connections
$locks = 'ini_set("memory_limit", "1G");
    for ($i = 0; $i < 100_000; $i += 1000) {
        $lock->lockAll(array_map(fn ($k) => "x$k", range($i, $i + 999)), 20, 600) || print("NOT HAD\n");
    }';
$objects = 'ini_set("memory_limit", "1G");
    $more = [];
    for ($i = 0; $i < 5000; $i++) {
        $more[$i] = new RedisLock($argv[1], unserialize($argv[2]));
        $more[$i]->lock("x$i", expire: 600) || print("NOT HAD\n");
    }';
foreach (['one object' => $locks, 'many objects' => $objects] as $whose => $take) {
    foreach ([true, 'request'] as $auto_release) {
        $end = new RequestEnd($server->dsn(), '', ['auto_release' => $auto_release, 'connect_timeout' => 20.0], $take);
        $server->pause();
        held_up_from_now();
        $took = $end->come();
        $server->resume();
        $redis->cmd('FLUSHALL');
        took_between("$whose, " . json_encode($auto_release) . ', seconds', $took, 0, 0.8);
    }
}
?>
--EXPECT--
one object, true, seconds: yes
one object, "request", seconds: yes
many objects, true, seconds: yes
many objects, "request", seconds: yes
