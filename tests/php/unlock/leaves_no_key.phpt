--TEST--
A lock that was released leaves no key in Redis
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());

for ($i = 0; $i < 100; $i++) {
    if (!$lock->lock("name$i") || !$lock->unlock("name$i")) {
        echo "name$i failed\n";
    }
}
var_dump(all_keys($server->client()), $lock->held());
?>
--EXPECT--
array(0) {
}
array(0) {
}
