--TEST--
exit: the locks are released
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
$worker = Worker::start('
    $lock = new RedisLock($argv[1]);
    function deep($lock) { $lock->lock("y"); exit(7); }
    $lock->lock("x");
    deep($lock);
', [$server->dsn()]);
var_dump($worker->wait(), all_keys($server->client()));
?>
--EXPECT--
int(7)
array(0) {
}
