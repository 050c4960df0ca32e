--TEST--
A cluster of Valkey 9 has several databases: locks of one are not those of another, and a waiter follows a slot that moves
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_valkey(9);
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../wait/remote.inc';

$cluster = Cluster::start(masters: 3, replicas: 0, config: ['cluster-databases 4']);
$names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->masters());
$zero = new RedisLock($cluster->dsn());
$three = new RedisLock($cluster->dsn(database: 3), ['renew' => true]);
is_so('locked in both', $zero->lockAll($names) && $three->lockAll($names, 0, 1.5));
is_so('not twice', !(new RedisLock($cluster->dsn(database: 3)))->lock($names[0]));
usleep(2_000_000);
is_so('renewed', array_filter($names, fn ($name) => !$three->isLocking($name)) === []);
is_so('a value', $three->remember('value', fn () => 'three', 60) === 'three' && $zero->remember('value', fn () => 'zero', 60) === 'zero');

$waiter = Remote::start($cluster->dsn(database: 3));
$waiter->begin('turn', $names[0], 10.0);
is_so('one waits', wait_until(fn () => $three->waiters($names[0]) === 1) && $zero->waiters($names[0]) === 0);
[$from, $to] = $cluster->masters();
$slot = Cluster::slot("lock:$names[0]");
$from->client()->cmd('CLUSTER', 'MIGRATESLOTS', 'SLOTSRANGE', $slot, $slot, 'NODE', $cluster->idOf($to));
is_so('the slot has gone', wait_until(fn () => $cluster->ownerOf($slot) === $to));
is_so('still held', $three->isLocking($names[0]) && $zero->isLocking($names[0]));
is_so('released', $three->unlockAll());
is_so('handed over', $waiter->answer()['result']['got'] ?? false);
is_so('the other database has its own', $zero->unlockAll());
try {
    (new RedisLock($cluster->dsn(database: 4)))->lock('x');
} catch (RedisLockConnectionException $e) {
    echo preg_replace('~^\S+ \S+ ~', '', $e->getMessage()), "\n";
}
?>
--EXPECT--
locked in both: yes
not twice: yes
renewed: yes
a value: yes
one waits: yes
the slot has gone: yes
still held: yes
released: yes
handed over: yes
the other database has its own: yes
database 4 was refused (ERR) (lock "x")
