--TEST--
`$id = $l->lock(…); $l->unlock($name, $id)` fails loudly and leaves the lock
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
$lock = new RedisLock($server->dsn());
$id = $lock->lock('SKU0001', 5);
thrown(fn () => $lock->unlock('SKU0001', $id));
var_dump($lock->isLocking('SKU0001'));
?>
--EXPECTF--
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, %s given: %s
bool(true)
