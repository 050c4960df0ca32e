--TEST--
An uncaught exception: the locks are released
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
    function section($lock) { $lock->lock("y"); throw new DomainException("sold out"); }
    $lock = new RedisLock($argv[1]);
    $lock->lock("x");
    section($lock);
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECTF--
Fatal error: Uncaught DomainException: sold out in %a
array(0) {
}
