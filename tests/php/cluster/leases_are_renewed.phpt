--TEST--
The leases of many locks, at all nodes of a cluster, are renewed in the background, also where a slot has moved
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
$lock = new RedisLock($cluster->dsn(), ['renew' => true]);
$names = [];
foreach ($cluster->masters() as $master) {
    for ($i = 0; $i < 10; $i++) {
        $names[] = $cluster->nameOn($master, nth: $i);
    }
}
foreach ($names as $name) {
    $lock->lock($name, expire: 1.5) || print("$name was not taken\n");
}
$from = $cluster->ownerOf("lock:$names[0]");
$cluster->migrate("lock:$names[0]", $cluster->others($from)[0]);
usleep(4_000_000);
is_so('all are held', array_filter($names, fn ($name) => !$lock->isLocking($name)) === []);
is_so('none was lost', array_filter($names, $lock->lost(...)) === []);
is_so('all are released', $lock->unlockAll());
?>
--EXPECT--
all are held: yes
none was lost: yes
all are released: yes
