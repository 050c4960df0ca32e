--TEST--
The function may take the lock again, which is told of in turn
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
$told = 0;
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function ($name) use (&$lock, &$told) {
    $told++;
    var_dump($lock->unlock($name), $lock->lock($name));
}]);
$lock->lock('x');
foreach ([1, 2, 3] as $round) {
    take_away($redis, 'x');
    compute_until(function () use (&$told, $round) {
        return $told >= $round;
    });
}
compute(0.2);
var_dump($told, $lock->unlock('x'));
$lock = null;
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
int(3)
bool(true)
