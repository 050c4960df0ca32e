--TEST--
Connections to each node of a cluster, to sentinels and to the master that they name have a name
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/naming.inc';

require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/sentinel.inc';

$cluster = Cluster::start(replicas: 0);
$lock = new RedisLock($cluster->dsn(), ['persistent' => false]);
foreach ($cluster->masters() as $n => $master) {
    $lock->lock($cluster->nameOn($master));
    is_so("node $n", in_array(own_name(), names($master->client()), true));
}
unset($lock);

$set = SentinelSet::start();
$lock = new RedisLock($set->dsn(), ['persistent' => false] + $set->options);
$lock->lock('x');
is_so('the master', in_array(own_name(), names($set->master()->client()), true));
foreach ($set->sentinels as $n => $sentinel) {
    is_so("sentinel $n", in_array(own_name(), names($sentinel->client()), true));
}
?>
--EXPECT--
node 0: yes
node 1: yes
node 2: yes
the master: yes
sentinel 0: yes
sentinel 1: yes
sentinel 2: yes
