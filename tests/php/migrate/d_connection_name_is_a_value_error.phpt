--TEST--
Row D: the name of a connection as only argument of the constructor is a ValueError
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

thrown(fn () => new RedisLock('default'));
thrown(fn () => new RedisLock('local.default'));
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: a server is written redis://%s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: a server is written redis://%s
