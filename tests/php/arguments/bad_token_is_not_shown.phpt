--TEST--
A token is not quoted by the message that refuses it, nor shown by the trace
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
has_no_secret('lock', shown(thrown(fn () => $lock->lock('x', 0, 5, 'rl:baton:' . str_repeat('5', 32)))), str_repeat('5', 32));
has_no_secret('unlock', shown(thrown(fn () => $lock->unlock('', 's3cret'))), 's3cret');
has_no_secret('expire', shown(thrown(fn () => $lock->expire('', 5, 's3cret'))), 's3cret');
has_no_secret('attach', shown(thrown(fn () => $lock->attach('', 's3cret'))), 's3cret');
?>
--EXPECTF--
ValueError: %s
lock: no secret
ValueError: %s
unlock: no secret
ValueError: %s
expire: no secret
ValueError: %s
attach: no secret
