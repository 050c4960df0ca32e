--TEST--
Three of five servers that do not answer: an exception after node_timeout, and nothing is left on the others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(5);
$lock = new RedisLock($ring->dsns(), ['node_timeout' => 0.1]);
$lock->lock('warm');
$lock->unlock('warm');
$lock->waiters('warm'); // asks all: a majority may have answered before the last connection was made, and that has another limit
foreach ([1, 2, 4] as $i) {
    $ring[$i]->pause();
}
took_between('lock', seconds(fn () => thrown(fn () => $lock->lock('x', expire: 60.0))), 0.09, 0.7);
took_between('lock that would wait', seconds(fn () => thrown(fn () => $lock->lock('x', 5.0, expire: 60.0))), 0.09, 0.7);
foreach ([1, 2, 4] as $i) {
    is_so('nothing is left', wait_until(fn () => all_keys($ring[$i === 4 ? 3 : 0]->client()) === [], 2.0));
}
foreach ([1, 2, 4] as $i) {
    $ring[$i]->resume();
}
$ring->isClean();
?>
--EXPECTF--
RedisLockConnectionException: %s: too few of 5 servers answered; unix://%s: no answer in time (lock "x")
lock: yes
RedisLockConnectionException: %s: too few of 5 servers answered; unix://%s: %s (lock "x")
lock that would wait: yes
nothing is left: yes
nothing is left: yes
nothing is left: yes
nothing is left: yes
