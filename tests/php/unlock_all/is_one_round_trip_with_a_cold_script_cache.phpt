--TEST--
unlockAll() of 1 000 names is one round trip also when the server has forgotten the scripts
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
$redis = $server->client();
$lock = new RedisLock($wire->dsn(), ['read_timeout' => 20.0]);
for ($i = 0; $i < 1000; $i++) {
    $lock->lock("name$i");
}
$redis->cmd('SCRIPT', 'FLUSH');

$wire->delay(1.0); // no reply can be seen before all is sent that goes without one
$wire->forget();
var_dump($lock->unlockAll());
var_dump($wire->roundTrips(), $wire->connections());
var_dump($lock->held(), all_keys($redis));
?>
--EXPECT--
bool(true)
int(1)
int(0)
array(0) {
}
array(0) {
}
