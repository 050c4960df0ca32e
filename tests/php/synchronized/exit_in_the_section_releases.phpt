--TEST--
exit inside of a section: the lock is released
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
    $lock->synchronized("x", function () {
        echo "in the section\n";
        exit(3);
    });
    echo "not reached\n";
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECT--
in the section
array(0) {
}
