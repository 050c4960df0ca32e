--TEST--
The bytes of an error reply do no harm in the message, and a long one is cut
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
$lock = new RedisLock($wire->dsn());
$lock->lock('warm-up');
$wire->answer('-ERR %s%n' . "\0\x1b[31m" . str_repeat('x', 100000) . "\r\n", 'EVALSHA');
try {
    $lock->lock('x');
} catch (RedisLockServerException $e) {
    var_dump($e->redisError, strlen($e->getMessage()) < 1000, strpbrk($e->getMessage(), "\0\x1b"));
}
?>
--EXPECT--
string(3) "ERR"
bool(true)
bool(false)
