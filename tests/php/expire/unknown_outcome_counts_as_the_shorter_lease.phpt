--TEST--
When the answer never comes, the believed lease is the shorter of old and new
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['read_timeout' => slow(0.1), 'connect_timeout' => slow(0.1)]);
$lock->lock('longer', expire: 20);
$lock->lock('shorter', expire: 20);

$server->pause();
foreach (['longer' => 60, 'shorter' => 5] as $name => $lease) {
    try {
        $lock->expire($name, $lease);
        echo "nothing thrown\n";
    } catch (RedisLockException $e) {
        echo get_class($e), ' ', $e->lockName, "\n";
    }
}
is_between('longer', $lock->remaining('longer'), 15, 20);
is_between('shorter', $lock->remaining('shorter'), 3, 5);
$server->resume();
?>
--EXPECT--
RedisLockConnectionException longer
RedisLockConnectionException shorter
longer: yes
shorter: yes
