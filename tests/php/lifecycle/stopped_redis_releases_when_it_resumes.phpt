--TEST--
What a request's end could not wait for is done when the Redis that hung goes on
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
$lock = new RedisLock($server->dsn());
$lock->lock('x') && $lock->unlock('x'); // the server knows the scripts
unset($lock);
foreach (['end of the script', 'exit', 'fatal error'] as $way) {
    foreach ([true, 'request'] as $auto_release) {
        $end = new RequestEnd($server->dsn(), ENDS[$way], ['auto_release' => $auto_release]);
        $server->pause();
        $end->come();
        $server->resume();
        $redis = $server->client();
        $gone = seconds(fn () => wait_until(fn () => all_keys($redis) === []));
        took_between(json_encode($auto_release) . ", $way, seconds until it is free", $gone, 0, 0.5);
        $redis->cmd('FLUSHALL');
    }
}
?>
--EXPECT--
true, end of the script, seconds until it is free: yes
"request", end of the script, seconds until it is free: yes
true, exit, seconds until it is free: yes
"request", exit, seconds until it is free: yes
true, fatal error, seconds until it is free: yes
"request", fatal error, seconds until it is free: yes
