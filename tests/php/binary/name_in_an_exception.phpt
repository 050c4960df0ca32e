--TEST--
A name of any bytes is whole in lockName, and does no harm in the message
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('redis://127.0.0.1:1');
$name = "a\0b\r\n\x1b[31m" . str_repeat('x', 5000);
try {
    $lock->lock($name);
} catch (RedisLockConnectionException $e) {
    var_dump($e->lockName === $name, strlen($e->getMessage()) < 1000, strpbrk($e->getMessage(), "\0\r\n\x1b"));
}
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
