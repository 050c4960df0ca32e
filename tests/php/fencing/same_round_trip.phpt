--TEST--
With fencing, lock() is still one request and one round trip, and so is unlock()
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
$lock = new RedisLock($wire->dsn(), ['fencing' => true]);
$lock->lock('warm-up');
$lock->unlock('warm-up');

$wire->forget();
$lock->lock('x');
$lock->unlock('x');
print_r($wire->requests());
var_dump($wire->roundTrips());
?>
--EXPECT--
Array
(
    [0] => EVALSHA
    [1] => EVALSHA
)
int(2)
