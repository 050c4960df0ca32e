--TEST--
Locks of a cluster are taken, waited for, extended and released, each at the master of its slot
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
$one = new RedisLock($cluster->dsn());
$two = new RedisLock($cluster->dsn());
foreach ($cluster->masters() as $n => $master) {
    $name = $cluster->nameOn($master);
    is_so("$n: taken", $one->lock($name, expire: 10.0));
    is_so("$n: at its master", $master->client()->cmd('EXISTS', "lock:$name") === 1);
    is_so("$n: not twice", !$two->lock($name) && !$two->lock($name, timeout: 0.05));
    is_so("$n: extended", $one->expire($name, 60.0) && $one->remaining($name) > 50.0);
    is_so("$n: seen", $two->owner($name) === $one->token($name) && $two->waiters($name) === 0);
    is_so("$n: released", $one->unlock($name) && $two->lock($name) && $two->unlock($name));
}
?>
--EXPECT--
0: taken: yes
0: at its master: yes
0: not twice: yes
0: extended: yes
0: seen: yes
0: released: yes
1: taken: yes
1: at its master: yes
1: not twice: yes
1: extended: yes
1: seen: yes
1: released: yes
2: taken: yes
2: at its master: yes
2: not twice: yes
2: extended: yes
2: seen: yes
2: released: yes
