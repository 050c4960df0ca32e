--TEST--
A malformed environment variable: its value is not in the message
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

putenv('SHOP_LOCKS=http://user:s3cret@127.0.0.1');
$lock = new RedisLock('env:SHOP_LOCKS');
$e = thrown(fn () => $lock->lock('x'));
has_no_secret('exception', shown($e), 's3cret');
has_no_secret('object', shown($lock), 's3cret');
?>
--EXPECTF--
RedisLockConnectionException: %sSHOP_LOCKS%s
exception: no secret
object: no secret
