--TEST--
What a request's end could not wait for is done when the Redis goes on, also if it hung before its first release
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
foreach ([true, 'request'] as $auto_release) {
    $server->client()->cmd('SCRIPT', 'FLUSH'); // EVALSHA alone would be lost on it
    $end = new RequestEnd($server->dsn(), '', ['auto_release' => $auto_release]);
    $server->pause();
    $end->come();
    $server->resume();
    $redis = $server->client();
    $gone = seconds(fn () => wait_until(fn () => all_keys($redis) === []));
    took_between(json_encode($auto_release) . ', seconds until it is free', $gone, 0, 0.5);
    $redis->cmd('FLUSHALL');
}
?>
--EXPECT--
true, seconds until it is free: yes
"request", seconds until it is free: yes
