--TEST--
unlockAll() releases 1 000 names in one round trip
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['read_timeout' => slow(20)]);
for ($i = 0; $i < 1000; $i++) {
    $lock->lock("name$i");
}
var_dump(count($lock->held()));
$lock->isLocking('name0');
$lock->lock('warm-up');
$lock->unlock('warm-up');

$wire->delay(slow(1.0)); // no reply can be seen before all is sent that goes without one
$wire->forget();
var_dump($lock->unlockAll());
var_dump($wire->roundTrips(), $wire->connections());
var_dump($lock->held(), all_keys($server->client()));
?>
--EXPECT--
int(1000)
bool(true)
int(1)
int(0)
array(0) {
}
array(0) {
}
