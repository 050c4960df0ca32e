--TEST--
auto_release 'request': also for an object that lives to the end, and after a fatal error
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
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
echo Worker::run('
    $lock = new RedisLock($argv[1], ["auto_release" => "request"]);
    var_dump($lock->lock("x"));
', [$server->dsn()]);
var_dump(all_keys($server->client()));
echo Worker::run('
    $lock = new RedisLock($argv[1], ["auto_release" => "request"]);
    var_dump($lock->lock("x"));
    the_end();
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECTF--
bool(true)
array(0) {
}
bool(true)

Fatal error: Uncaught Error: Call to undefined function the_end() in %a
array(0) {
}
