--TEST--
A user without rights to the key: RedisLockServerException, NOPERM
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

$server = RedisServer::start(['user worker on >w0rk ~other:* &* +@all']);
$lock = new RedisLock($server->dsn(), ['username' => 'worker', 'password' => 'w0rk']);
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->lockName, $e->redisError);
has_no_secret('exception', shown($e), 'w0rk');
?>
--EXPECTF--
RedisLockServerException: %s
string(1) "x"
string(6) "NOPERM"
exception: no secret
