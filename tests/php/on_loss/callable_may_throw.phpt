--TEST--
What the function throws reaches the code that runs
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function ($name) {
    throw new DomainException("$name is lost");
}]);
thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    take_away($redis, 'x');
    return compute(LONG);
});
var_dump($lock->lost('x'), $lock->unlock('x'));
thrown(fn () => compute(0.2));
?>
--EXPECT--
DomainException: x is lost
bool(true)
bool(false)
nothing thrown, returned 'computed to the end'
