--TEST--
A name with such a suffix inside of it, or with a part of one at its end, is like any other
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
foreach (['x:rl:wait:y', 'rl:wait', 'x:rl:', 'x:rl:waiter', ':rl:WAIT'] as $name) {
    var_dump($lock->lock($name) && $lock->unlock($name));
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
