--TEST--
A server without AUTH quotes the password in its error: it is not in the exception
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
$wire->answer("-ERR unknown command 'AUTH', with args beginning with: 'user' 's3cret'\r\n", 'AUTH');
$lock = new RedisLock($wire->dsn(), ['username' => 'user', 'password' => 's3cret']);
$e = thrown(fn () => $lock->lock('x'));
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECTF--
RedisLockConnectionException: %s
exception: no secret
