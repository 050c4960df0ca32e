--TEST--
The end of a request is as short with 20 objects that hold locks on a Redis that hangs as with one
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
require __DIR__ . '/ends.inc';

$server = RedisServer::start();
$take = '$more = [];
    for ($i = 0; $i < 20; $i++) {
        $more[$i] = new RedisLock($argv[1], ["prefix" => "lock:$i:"] + unserialize($argv[2]));
        $more[$i]->lock("x") || print("NOT HAD\n");
    }';
foreach ([[true, true], [true, false], ['request', true], ['request', false]] as [$auto_release, $persistent]) {
    foreach (['end of the script', 'exit', 'fatal error'] as $way) {
        $options = ['auto_release' => $auto_release, 'persistent' => $persistent];
        $end = new RequestEnd($server->dsn(), ENDS[$way], $options, $take);
        $server->pause();
        $took = $end->come();
        $server->resume();
        $server->client()->cmd('FLUSHALL');
        took_between(json_encode($options) . ", $way, seconds", $took, 0, 0.65);
    }
}
?>
--EXPECT--
{"auto_release":true,"persistent":true}, end of the script, seconds: yes
{"auto_release":true,"persistent":true}, exit, seconds: yes
{"auto_release":true,"persistent":true}, fatal error, seconds: yes
{"auto_release":true,"persistent":false}, end of the script, seconds: yes
{"auto_release":true,"persistent":false}, exit, seconds: yes
{"auto_release":true,"persistent":false}, fatal error, seconds: yes
{"auto_release":"request","persistent":true}, end of the script, seconds: yes
{"auto_release":"request","persistent":true}, exit, seconds: yes
{"auto_release":"request","persistent":true}, fatal error, seconds: yes
{"auto_release":"request","persistent":false}, end of the script, seconds: yes
{"auto_release":"request","persistent":false}, exit, seconds: yes
{"auto_release":"request","persistent":false}, fatal error, seconds: yes
