--TEST--
The release of many locks with the object is one round trip
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
$lock->lock('warm-up');
$lock->unlock('warm-up');
for ($i = 0; $i < 50; $i++) {
    $lock->lock("name$i");
}
$wire->delay(0.02);
$wire->forget();
unset($lock);
var_dump($wire->roundTrips(), all_keys($server->client()));
?>
--EXPECT--
int(1)
array(0) {
}
