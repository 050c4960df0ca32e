--TEST--
lockAll() with a name that this object holds is false at once, without waiting for itself
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
$lock = new RedisLock($wire->dsn());
$lock->lock('b');
$wire->forget();
took_between('at once', seconds(fn () => var_dump($lock->lockAll(['a', 'b', 'c'], 10))), 0, 1);
var_dump($wire->requests());
echo implode(' ', array_keys($lock->held())), "\n";
?>
--EXPECT--
bool(false)
at once: yes
array(0) {
}
b
