--TEST--
A fiber that begins where one has ended, with its lock still held, is told nothing of that
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

$first = new Fiber(fn () => $lock->lock('x'));
$first->start();
unset($first);
take_away($redis, 'x');
$second = new Fiber(function () use ($lock) {
    thrown(fn () => compute_until(fn () => $lock->lost('x')) . compute(0.3));
});
$second->start();
?>
--EXPECT--
nothing thrown, returned '1computed to the end'
