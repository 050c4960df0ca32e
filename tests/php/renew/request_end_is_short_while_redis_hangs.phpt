--TEST--
The end of a request is as short with 20 objects whose leases are renewed on a Redis that hangs as with one
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../lifecycle/ends.inc';

$server = RedisServer::start();
$take = '$more = [];
    for ($i = 0; $i < 20; $i++) {
        $more[$i] = new RedisLock($argv[1], ["prefix" => "lock:$i:"] + unserialize($argv[2]));
        $more[$i]->lock("x") || print("NOT HAD\n");
    }';
foreach ([true, 'request', false] as $auto_release) {
    foreach (['end of the script', 'fatal error'] as $way) {
        $end = new RequestEnd($server->dsn(), ENDS[$way], ['auto_release' => $auto_release, 'expire' => 3, 'renew' => true], $take);
        $server->pause();
        usleep(1_200_000); // the leases are due after 1 s
        $took = $end->come();
        $server->resume();
        $server->client()->cmd('FLUSHALL');
        took_between(json_encode($auto_release) . ", $way, seconds", $took, 0, 0.65);
    }
}
?>
--EXPECT--
true, end of the script, seconds: yes
true, fatal error, seconds: yes
"request", end of the script, seconds: yes
"request", fatal error, seconds: yes
false, end of the script, seconds: yes
false, fatal error, seconds: yes
