--TEST--
A lease that is made endless is not told of any more
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'on_loss' => 'throw']);
thrown(function () use ($lock) {
    $lock->lock('x');
    var_dump($lock->expire('x', INF));
    return compute(lease(1));
});
var_dump($lock->unlock('x'), $lock->lock('x', expire: INF));
thrown(fn () => compute(0.3));
var_dump($lock->unlock('x'));
?>
--EXPECT--
bool(true)
nothing thrown, returned 'computed to the end'
bool(true)
bool(true)
nothing thrown, returned 'computed to the end'
bool(true)
