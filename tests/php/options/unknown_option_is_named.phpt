--TEST--
An unknown option is a ValueError that names it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

thrown(fn () => new RedisLock('redis://127.0.0.1:1', ['expires' => 5]));
thrown(fn () => new RedisLock('redis://127.0.0.1:1', ['Expire' => 5]));
thrown(fn () => new RedisLock('redis://127.0.0.1:1', ["expire\0" => 5]));
thrown(fn () => new RedisLock('redis://127.0.0.1:1', ['expire']));
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expires" %s
ValueError: RedisLock::__construct(): Argument #2 ($options) option "Expire" %s
ValueError: RedisLock::__construct(): Argument #2 ($options) option "expire%S" %s
ValueError: RedisLock::__construct(): Argument #2 ($options) %s
