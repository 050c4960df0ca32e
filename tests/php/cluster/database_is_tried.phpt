--TEST--
A database other than 0 of a cluster is tried, and the server's refusal is told
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 1, replicas: 0);
try {
    var_dump((new RedisLock($cluster->dsn(database: 1)))->lock('x')); // Valkey 9 has more than one
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECTREGEX--
bool\(true\)|redis-cluster:\/\/127\.0\.0\.1:\d+\/1: 127\.0\.0\.1:\d+: database 1 was refused \(ERR\): a cluster mostly has database 0 alone \(lock "x"\)
