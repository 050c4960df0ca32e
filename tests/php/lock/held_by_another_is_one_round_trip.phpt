--TEST--
lock() that will not wait for a name that somebody holds is one request
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
$a = new RedisLock($server->dsn());
$b = new RedisLock($wire->dsn());
$b->lock('warm-up');
$a->lock('x');

$wire->forget();
var_dump($b->lock('x'));
print_r($wire->requests());
var_dump($wire->roundTrips());
?>
--EXPECT--
bool(false)
Array
(
    [0] => EVALSHA
)
int(1)
