--TEST--
A fiber that holds a lost lock and is never resumed is destroyed as any other
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

$fiber = new Fiber(function () use ($lock) {
    $lock->lock('x');
    try {
        Fiber::suspend();
        echo "NOT REACHED\n";
    } finally {
        compute(0.1);
        echo "the fiber's finally\n";
    }
});
$fiber->start();
take_away($redis, 'x');
compute_until(fn () => $lock->lost('x'));
unset($fiber);
thrown(fn () => compute(0.2));
var_dump($lock->unlock('x'));
?>
--EXPECT--
the fiber's finally
nothing thrown, returned 'computed to the end'
bool(false)
