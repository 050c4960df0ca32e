--TEST--
remember(): exit or a fatal error in the rebuild releases the lock, and the next one builds
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
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
foreach (['exit(0)', 'trigger_error("fatal", E_USER_ERROR)'] as $end) {
    $ends = remembering($server, "(print(\"builds\\n\")) && fgets(STDIN) && $end");
    echo $ends->readLine(), "\n";
    $waiter = remembering($server, '"next"', 'ttl: 60, timeout: 20');
    await_blocked($server->client(), 1);
    $ends->tell('end');
    echo $waiter->output();
    $ends->wait();
    (new RedisLock($server->dsn()))->forget('k');
}
var_dump(all_keys($server->client()));
?>
--EXPECT--
builds
"next"
builds
"next"
array(0) {
}
