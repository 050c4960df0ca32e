--TEST--
lockAll() takes all or none
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());

var_dump($lock->lockAll(['a', 'b']));
foreach ([['b', 'c'], ['c', 'b'], ['c', 'd', 'a']] as $names) {
    var_dump($other->lockAll($names), $other->held());
}
echo implode(' ', all_keys($redis)), "\n";
var_dump($other->lockAll(['c', 'd']));
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECT--
bool(true)
bool(false)
array(0) {
}
bool(false)
array(0) {
}
bool(false)
array(0) {
}
lock:a lock:b
bool(true)
lock:a lock:b lock:c lock:d
