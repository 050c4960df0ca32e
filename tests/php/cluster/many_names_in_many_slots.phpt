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

$names = array_merge(...array_map(fn ($nth) => array_map(fn ($master) => $cluster->nameOn($master, nth: $nth), $cluster->masters()), [0, 1, 2, 3]));
$reads = fn () => array_map(fn ($master) => (int) preg_replace('/.*total_reads_processed:(\d+).*/s', '$1', $master->client()->cmd('INFO', 'stats')), $cluster->masters());
$one->lockAll($names, expire: 10.0) && $one->unlockAll();
$asking = array_map(fn ($then, $now) => $now - $then, $reads(), $reads());
$before = $reads();
$taken = $one->lockAll($names, expire: 10.0);
is_so('in one write to each master', array_map(fn ($then, $now, $ours) => $now - $then - $ours, $before, $reads(), $asking) === [1, 1, 1]);
is_so('twelve slots', $taken && $keys() === 12);
is_so('none while they are held', !$two->lockAll(array_reverse($names), 0.2) && $keys() === 12);
is_so('all again', $one->unlockAll() && $keys() === 0 && $two->lockAll(array_reverse($names), 1.0, 10.0) && $two->unlockAll() && $keys() === 0);
$cluster->beginMigration('lock:' . $names[4], $cluster->others($cluster->ownerOf('lock:' . $names[4]))[0]);
is_so('one slot moves', $one->lockAll($names, expire: 10.0) && !$two->lockAll($names) && !$two->lockAll($names, 0.2));
is_so('and all others take them', $one->unlockAll() && $two->lockAll($names, 1.0, 10.0) && $two->unlockAll() && $keys() === 0);
?>
--EXPECT--
all: yes
none: yes
released: yes
one is held: yes
none again: yes
released again: yes
of one slot: yes
in one write to each master: yes
twelve slots: yes
none while they are held: yes
all again: yes
one slot moves: yes
and all others take them: yes
