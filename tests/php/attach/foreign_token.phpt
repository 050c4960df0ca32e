--TEST--
attach() adopts a lock that a foreign client took, if its token is given
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreign_lock($redis, 'lock:x', 'laravel-owner', 10000);

var_dump($lock->attach('x', 'laravel-owner'));
is_between('remaining', $lock->remaining('x'), 5, 10);
var_dump($lock->unlock('x'), all_keys($redis));
?>
--EXPECT--
bool(true)
remaining: yes
bool(true)
array(0) {
}
