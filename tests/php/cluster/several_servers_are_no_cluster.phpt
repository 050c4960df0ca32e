--TEST--
Several servers that are no nodes of a cluster are refused: each of them would give the same lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$servers = [RedisServer::startAlone([], tcp: true), RedisServer::startAlone([], tcp: true)];
$hosts = array_map(fn ($server) => '127.0.0.1:' . $server->port(), $servers);
$lock = new RedisLock('redis-cluster://' . implode(',', $hosts));
$lock->lock('x', expire: 1.0); // the first call learns what they are
try {
    var_dump($lock->lock('y'));
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}
$servers[0]->kill();
try {
    var_dump($lock->lock('z'));
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECTF--
redis-cluster://%s/0: the servers are no cluster: name one as redis://HOST:6379 (lock "y")
redis-cluster://%s/0: the servers are no cluster: name one as redis://HOST:6379 (lock "z")
