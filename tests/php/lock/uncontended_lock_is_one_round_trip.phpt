--TEST--
lock() of a free name is one request and one round trip
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('{lock:SKU0001}warm-up'); // connects, and brings the scripts into the server's cache
$lock->unlock('{lock:SKU0001}warm-up');

$wire->forget();
var_dump($lock->lock('SKU0001'));
print_r($wire->requests());
var_dump($wire->roundTrips(), $wire->connections());
?>
--EXPECT--
bool(true)
Array
(
    [0] => SET
)
int(1)
int(0)
