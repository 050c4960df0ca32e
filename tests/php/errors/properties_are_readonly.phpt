--TEST--
An exception's properties cannot be changed
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
try {
    $lock->lock('x');
} catch (RedisLockException $e) {
    foreach (['lockName', 'server', 'redisError'] as $property) {
        try {
            $e->$property = 'other';
            echo "changed\n";
        } catch (Error $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
?>
--EXPECTF--
Cannot modify %s$lockName
Cannot modify %s$server
Cannot modify %s$redisError
