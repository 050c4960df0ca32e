--TEST--
expire() is one request and one round trip
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
$lock->lock('x');
$lock->expire('x', 20);

$wire->forget();
var_dump($lock->expire('x', 40));
print_r($wire->requests());
var_dump($wire->roundTrips());
?>
--EXPECT--
bool(true)
Array
(
    [0] => EVALSHA
)
int(1)
