--TEST--
A `listener` that is neither callable nor a logger is refused by its name; null means none
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

thrown(fn () => new RedisLock(null, ['listener' => 'no such function']));
thrown(fn () => new RedisLock(null, ['listener' => new stdClass()]));
thrown(fn () => new RedisLock(null, ['listener' => 1]));
thrown(fn () => new RedisQueue(null, ['listener' => 'strlen']));
var_dump(new RedisLock(null, ['listener' => null]) instanceof RedisLock);
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "listener" must be a callable or a Psr\Log\LoggerInterface
ValueError: RedisLock::__construct(): Argument #2 ($options) option "listener" must be a callable or a Psr\Log\LoggerInterface
ValueError: RedisLock::__construct(): Argument #2 ($options) option "listener" must be a callable or a Psr\Log\LoggerInterface
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "listener" is unknown
bool(true)
