--TEST--
However the request ends, the locks of its objects are gone when its process is
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
$redis = $server->client();
foreach (ENDS as $way => $code) {
    $end = new RequestEnd($server->dsn(), $code);
    $held = all_keys($redis) === ['lock:x'];
    $end->come();
    echo "$way: ", $held ? 'held, then ' : 'NOT HELD, then ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
end of the script: held, then []
exit: held, then []
uncaught exception: held, then []
fatal error: held, then []
compile error: held, then []
memory_limit: held, then []
max_execution_time: held, then []
error in a shutdown function: held, then []
exit in a destructor: held, then []
