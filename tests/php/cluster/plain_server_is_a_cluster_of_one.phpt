--TEST--
A server that is no node of a cluster has all keys
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$server = RedisServer::startAlone([], tcp: true);
$lock = new RedisLock('redis-cluster://127.0.0.1:' . $server->port());
is_so('locks', $lock->lock('x', expire: 10.0) && $lock->unlock('x'));
is_so('locks many', $lock->lockAll(['a', 'b'], expire: 10.0) && $lock->unlockAll());
?>
--EXPECT--
locks: yes
locks many: yes
