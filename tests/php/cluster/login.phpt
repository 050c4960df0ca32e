--TEST--
One login holds at all nodes of a cluster; a wrong one is told
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 0, password: 'secret');
$lock = new RedisLock($cluster->dsn());
foreach ($cluster->masters() as $n => $master) {
    $name = $cluster->nameOn($master);
    is_so("$n", $lock->lock($name, expire: 5.0) && $lock->unlock($name));
}
$seed = preg_replace('/.*@/', '', $cluster->dsn());
foreach (['', ':wrong@'] as $credentials) {
    try {
        (new RedisLock("redis-cluster://$credentials$seed"))->lock('x');
    } catch (RedisLockConnectionException $e) {
        echo $e->getMessage(), "\n";
    }
}
?>
--EXPECTF--
0: yes
1: yes
2: yes
redis-cluster://%s/0: 127.0.0.1:%d: a password is needed (NOAUTH) (lock "x")
redis-cluster://%s/0: 127.0.0.1:%d: the login was refused (WRONGPASS) (lock "x")
