--TEST--
auto_release true: at the request's end what is still held is released
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
    var_dump($lock->lock("x"));
    class Keeper { public static $lock; }
    Keeper::$lock = new RedisLock($argv[1]);
    var_dump(Keeper::$lock->lock("y"));
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
