--TEST--
env: without a proper name is a ValueError
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

thrown(fn () => new RedisLock('env:'));
thrown(fn () => new RedisLock('env:A=B'));
thrown(fn () => new RedisLock("env:A\0B"));
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
