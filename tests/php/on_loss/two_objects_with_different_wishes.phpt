--TEST--
Each object tells in its own way
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
$order = [];
$thrower = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);
$caller = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function ($name) use (&$order) {
    $order[] = "called: $name";
}]);
$silent = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true]);
try {
    $thrower->lock('a');
    $caller->lock('b');
    $silent->lock('c');
    take_away($redis, 'a', 'b', 'c');
    compute(LONG);
} catch (RedisLockLostException $e) {
    $order[] = "thrown: $e->lockName";
}
compute_until(function () use (&$order) {
    return count($order) >= 2;
});
compute(0.3);
sort($order);
print_r($order);
var_dump($silent->lost('c'));
?>
--EXPECT--
Array
(
    [0] => called: b
    [1] => thrown: a
)
bool(true)
