--TEST--
unlock() for which nobody waits is one request and one round trip
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
$lock = new RedisLock($wire->dsn());
$lock->lock('warm-up'); // connects, and brings the scripts into the server's cache
$lock->unlock('warm-up');
$lock->lock('SKU0001');

$wire->forget();
var_dump($lock->unlock('SKU0001'));
print_r($wire->requests());
var_dump($wire->roundTrips(), $wire->connections());
?>
--EXPECT--
bool(true)
Array
(
    [0] => EVALSHA
)
int(1)
int(0)
