--TEST--
The value of an environment variable is neither stored nor shown
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

$server = RedisServer::start(tcp: true, password: 's3cret');
putenv('SHOP_LOCKS=' . $server->tcpDsn(':s3cret'));
$lock = new RedisLock('env:SHOP_LOCKS');
$lock->lock('x');
has_no_secret('object', shown($lock), 's3cret');
$lock->unlock('x');

putenv('SHOP_LOCKS=' . $server->tcpDsn(':wr0ng'));
$lock = new RedisLock('env:SHOP_LOCKS', ['persistent' => false]);
$e = thrown(fn () => $lock->lock('y'));
has_no_secret('exception', shown($e), 'wr0ng');
?>
--EXPECTF--
object: no secret
RedisLockConnectionException: %s
exception: no secret
