--TEST--
Fiber::suspend() in the function is a FiberError, and the fiber can be suspended behind it
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function () use (&$told) {
    thrown(fn () => Fiber::suspend('in the function'));
    thrown(fn () => (new Fiber(fn () => null))->start());
    $told = true;
}]);
$fiber = new Fiber(function () use ($lock, $redis, &$told) {
    $lock->lock('x');
    take_away($redis, 'x');
    compute_until(function () use (&$told) {
        return $told;
    });
    Fiber::suspend('behind it');
    return 'done';
});
var_dump($fiber->start());
$fiber->resume();
var_dump($fiber->getReturn());
?>
--EXPECT--
FiberError: Cannot switch fibers in current execution context
FiberError: Cannot switch fibers in current execution context
string(9) "behind it"
string(4) "done"
