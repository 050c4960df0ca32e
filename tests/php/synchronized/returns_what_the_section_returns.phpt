--TEST--
synchronized() runs the section under the lock, returns its value and releases
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

var_dump($lock->synchronized('x', function () use ($lock) {
    var_dump($lock->isLocking('x'));
    return ['sold' => 1];
}));
var_dump($lock->held(), all_keys($redis));
var_dump($lock->synchronized('x', fn () => null));
?>
--EXPECT--
bool(true)
array(1) {
  ["sold"]=>
  int(1)
}
array(0) {
}
array(0) {
}
NULL
