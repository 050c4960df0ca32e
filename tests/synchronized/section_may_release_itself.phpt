--TEST--
A section may release its lock before its end: nothing is lost then
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
$lock = new RedisLock($server->dsn());

var_dump($lock->synchronized('x', function () use ($lock) {
    var_dump($lock->unlock('x'));
    return 'after';
}));
var_dump($lock->held(), all_keys($server->client()));
?>
--EXPECT--
bool(true)
string(5) "after"
array(0) {
}
array(0) {
}
