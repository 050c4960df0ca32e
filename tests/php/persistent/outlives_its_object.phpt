--TEST--
A persistent connection outlives its object, and serves the next
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
for ($i = 0; $i < 5; $i++) {
    $lock = new RedisLock($wire->dsn());
    $lock->lock('x');
    unset($lock);
}
var_dump($wire->connections());
?>
--EXPECT--
int(1)
