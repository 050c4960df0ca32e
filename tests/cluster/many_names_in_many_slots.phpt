--TEST--
lockAll() takes the locks of several slots, all or none, and gives back what it took in vain
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 0);
$names = array_map(fn ($master) => $cluster->nameOn($master), $cluster->masters());
$keys = fn () => array_sum(array_map(fn ($master) => $master->client()->cmd('DBSIZE'), $cluster->masters()));
$one = new RedisLock($cluster->dsn());
$two = new RedisLock($cluster->dsn());
is_so('all', $one->lockAll($names, expire: 10.0) && $keys() === 3);
is_so('none', !$two->lockAll($names) && $keys() === 3);
is_so('released', $one->unlockAll() && $keys() === 0);
is_so('one is held', $two->lock(max($names), expire: 10.0));
is_so('none again', !$one->lockAll($names, expire: 10.0) && $keys() === 1);
is_so('released again', $two->unlock(max($names)) && $one->lockAll($names, 1.0, 10.0) && $one->unlockAll());
is_so('of one slot', $one->lockAll(['{tag}a', '{tag}b', '{tag}c'], expire: 10.0) && $keys() === 3 && $one->unlockAll() && $keys() === 0);
?>
--EXPECT--
all: yes
none: yes
released: yes
one is held: yes
none again: yes
released again: yes
of one slot: yes
