--TEST--
Shutdown functions run before the release at the request's end
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
    $lock = new RedisLock($argv[1]);
    $lock->lock("x");
    register_shutdown_function(function () use ($lock) {
        var_dump($lock->isLocking("x"), $lock->lock("y"));
    });
    exit;
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
