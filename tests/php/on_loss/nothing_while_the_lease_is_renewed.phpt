--TEST--
A lease that is renewed gives no notice in a section that takes several leases
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
foreach (['throw', function () use (&$told) {
    $told++;
}] as $on_loss) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => $on_loss]);
    $lock->lock('x');
    thrown(fn () => compute(lease(2.5)));
    var_dump($lock->unlock('x'));
}
var_dump($told);
?>
--EXPECT--
nothing thrown, returned 'computed to the end'
bool(true)
nothing thrown, returned 'computed to the end'
bool(true)
int(0)
