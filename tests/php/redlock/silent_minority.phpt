--TEST--
Two of five servers that do not answer: no node_timeout is waited for, and they too release when they go on
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
$lock = new RedisLock($ring->dsns(), ['node_timeout' => 2.0, 'read_timeout' => 3.0]);
$round = function () use ($lock): void {
    $lock->lock('x', expire: 60.0) && $lock->expire('x', 60.0) && $lock->isLocking('x') && $lock->unlock('x') or print("NO\n");
};
$round();
$ring[0]->pause();
$ring[3]->pause();
took_between('with connections that were made before', seconds($round), 0.0, 1.0);
took_between('with new ones', seconds(function () use ($ring) {
    $lock = new RedisLock($ring->dsns(), ['persistent' => false, 'node_timeout' => 2.0, 'read_timeout' => 3.0]);
    $lock->lock('y', expire: 60.0) && $lock->unlock('y') or print("NO\n");
}), 0.0, 1.0);
$ring[0]->resume();
$ring[3]->resume();
$ring->isClean();
?>
--EXPECT--
with connections that were made before: yes
with new ones: yes
nothing is left: yes
