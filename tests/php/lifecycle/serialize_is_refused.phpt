--TEST--
serialize, unserialize and var_export's way back are refused
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

final class SubLock extends RedisLock
{
}

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$lock->lock('x');
thrown(fn () => serialize($lock));
thrown(fn () => serialize(['in' => ['an' => $lock]]));
thrown(fn () => serialize(new SubLock($server->dsn())));
thrown(fn () => unserialize('O:9:"RedisLock":0:{}'));
thrown(fn () => unserialize('C:9:"RedisLock":0:{}'));
var_dump($lock->isLocking('x'));
?>
--EXPECT--
Exception: Serialization of 'RedisLock' is not allowed
Exception: Serialization of 'RedisLock' is not allowed
Exception: Serialization of 'SubLock' is not allowed
Exception: Unserialization of 'RedisLock' is not allowed
Exception: Unserialization of 'RedisLock' is not allowed
bool(true)
