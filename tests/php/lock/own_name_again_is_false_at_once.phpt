--TEST--
A name that this object already holds: lock() says false without waiting for itself
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
$lock->lock('x');
$token = $lock->token('x');

$wire->forget();
$took = seconds(function () use ($lock) {
    var_dump($lock->lock('x', timeout: 5));
});
took_between('seconds', $took, 0, 0.5);
is_so('nothing was asked', $wire->requests() === [], $wire->requests());
is_so('still held', $lock->isLocking('x') && $lock->token('x') === $token);
?>
--EXPECT--
bool(false)
seconds: yes
nothing was asked: yes
still held: yes
