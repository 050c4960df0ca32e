--TEST--
However the request ends, a Redis that hangs keeps it from ending for 0.6 s at most
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
    $free = (new RequestEnd($server->dsn(), $code))->come();
    $end = new RequestEnd($server->dsn(), $code);
    $server->pause();
    $took = $end->come();
    $server->resume();
    $server->client()->cmd('FLUSHALL');
    is_between("$way, seconds more than without", $took - $free, -0.1, 0.6);
}
?>
--EXPECT--
end of the script, seconds more than without: yes
exit, seconds more than without: yes
uncaught exception, seconds more than without: yes
fatal error, seconds more than without: yes
compile error, seconds more than without: yes
memory_limit, seconds more than without: yes
max_execution_time, seconds more than without: yes
error in a shutdown function, seconds more than without: yes
exit in a destructor, seconds more than without: yes
