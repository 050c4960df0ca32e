--TEST--
on_loss flag with renew: a lock that is taken away is found out by asking only
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'flag']);
thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    take_away($redis, 'x');
    return compute(lease(1.2));
});
var_dump($lock->lost('x'), $lock->unlock('x'));
?>
--EXPECT--
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
