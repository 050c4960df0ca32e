--TEST--
on_loss: a value that makes no sense is an error that says so
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

class Closed
{
    private function lost(): void
    {
    }
}

foreach ([1, true, 1.5, 'Throw', '', 'no_such_function', [], ['Closed', 'lost'], [new Closed(), 'lost'], [new Closed(), 'none'], new stdClass()] as $value) {
    thrown(fn () => new RedisLock('unix:///nowhere', ['on_loss' => $value]));
}
?>
--EXPECTF--
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
%sError: RedisLock::__construct(): Argument #2 ($options) option "on_loss" must be "flag", "throw" or a callable
