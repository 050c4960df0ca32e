--TEST--
However the request ends, a Redis that hangs keeps it from ending for 0.6 s at most
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
foreach (ENDS as $way => $code) {
    $end = new RequestEnd($server->dsn(), $code);
    $server->pause();
    $took = $end->come();
    $server->resume();
    $server->client()->cmd('FLUSHALL');
    took_between("$way, seconds", $took, 0, 0.6);
}
?>
--EXPECT--
end of the script, seconds: yes
exit, seconds: yes
uncaught exception, seconds: yes
fatal error, seconds: yes
compile error, seconds: yes
memory_limit, seconds: yes
max_execution_time, seconds: yes
error in a shutdown function, seconds: yes
exit in a destructor, seconds: yes
