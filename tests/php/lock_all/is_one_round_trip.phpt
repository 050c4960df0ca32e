--TEST--
lockAll() without a wait is one request, had or not
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
$other = new RedisLock($wire->dsn());
$lock->lockAll(['warm', 'up']); // connects and brings the script

$wire->forget();
var_dump($lock->lockAll(['c', 'a', 'b']));
echo implode(' ', $wire->requests()), ', round trips: ', $wire->roundTrips(), "\n";

$wire->forget();
var_dump($other->lockAll(['x', 'b', 'y']));
echo implode(' ', $wire->requests()), ', round trips: ', $wire->roundTrips(), "\n";

$wire->forget();
var_dump($lock->unlockAll());
echo 'round trips: ', $wire->roundTrips(), "\n";
?>
--EXPECT--
bool(true)
EVALSHA, round trips: 1
bool(false)
EVALSHA, round trips: 1
bool(true)
round trips: 1
