--TEST--
Nodes that a cluster announces by host names: locks are taken and renewed there
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 0, config: ['cluster-announce-hostname localhost', 'cluster-preferred-endpoint-type hostname']);
$cluster->awaitAgreed();
$lock = new RedisLock($cluster->dsn(seeds: [$cluster->masters()[0]]), ['renew' => true]);
foreach ($cluster->masters() as $n => $master) {
    $name = $cluster->nameOn($master);
    $names[] = $name;
    is_so("$n", $lock->lock($name, expire: 1.5));
}
usleep(4_000_000);
is_so('all are held', array_filter($names, fn ($name) => !$lock->isLocking($name)) === []);
is_so('all are released', $lock->unlockAll());
?>
--EXPECT--
0: yes
1: yes
2: yes
all are held: yes
all are released: yes
