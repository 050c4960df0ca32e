--TEST--
An error handler may make an exception of the warning past max_hold, which reaches the code that runs
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
set_error_handler(function (int $type, string $text) {
    throw new ErrorException($text, 0, $type);
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.5), 'renew' => true, 'max_hold' => lease(0.6)]);
thrown(function () use ($lock) {
    $lock->lock('x');
    return compute(LONG);
});
var_dump($lock->unlock('x'));
thrown(fn () => compute(0.2));
?>
--EXPECTF--
ErrorException: RedisLock: unix://%s: the lock is held for longer than max_hold (%s), so its lease is renewed no more (lock "x")
bool(true)
nothing thrown, returned 'computed to the end'
