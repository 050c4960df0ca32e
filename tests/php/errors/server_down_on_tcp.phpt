--TEST--
Nothing listens there: RedisLockConnectionException with the host and the reason
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('redis://user:s3cret@127.0.0.1:1/5');
$e = thrown(fn () => $lock->lock('SKU0001'));
var_dump($e->lockName, $e->server, $e->redisError, $e->getCode(), $e->getPrevious());
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECTF--
RedisLockConnectionException: %Sredis://127.0.0.1:1/5%srefused%s
string(7) "SKU0001"
string(21) "redis://127.0.0.1:1/5"
string(0) ""
int(0)
NULL
exception: no secret
