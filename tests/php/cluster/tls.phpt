--TEST--
TLS to all nodes of a cluster, also to those that are found; an unknown authority is refused
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('openssl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 0, tls: true);
$seed = $cluster->masters()[0];
$dsn = $cluster->dsn(seeds: [$seed]);
echo preg_replace('/\d+/', 'N', $dsn), "\n";
$lock = new RedisLock($dsn, $cluster->options);
foreach ($cluster->masters() as $n => $master) {
    $name = $cluster->nameOn($master);
    is_so("$n", $lock->lock($name, expire: 5.0) && $lock->unlock($name));
}
try {
    (new RedisLock($dsn, ['tls' => []] + $cluster->options))->lock('x');
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECTF--
rediss-cluster://N.N.N.N:N
0: yes
1: yes
2: yes
rediss-cluster://%s/0: 127.0.0.1:%d: TLS: self-signed certificate in certificate chain (certificate verify failed) (lock "x")
