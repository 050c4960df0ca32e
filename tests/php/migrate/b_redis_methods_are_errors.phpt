--TEST--
Row B extended Redis: connect() and every other command on the lock object is an Error, a phpredis config no server
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

thrown(function () {
    $lock = new RedisLock();
    $lock->connect('127.0.0.1', 6379);
    $id = $lock->lock('account:1');
});
thrown(fn () => (new RedisLock())->get('account:1'));
thrown(fn () => new RedisLock(['host' => '127.0.0.1', 'port' => 6379]));
thrown(fn () => new RedisLock(['host' => '127.0.0.1']));
thrown(fn () => new RedisLock('127.0.0.1', 6379));
?>
--EXPECTF--
Error: Call to undefined method RedisLock::connect()
Error: Call to undefined method RedisLock::get()
ValueError: RedisLock::__construct(): Argument #1 ($servers) must %s
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: %s
TypeError: RedisLock::__construct(): Argument #2 ($options) must be of type array, int given
