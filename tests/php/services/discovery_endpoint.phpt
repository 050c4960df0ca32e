--TEST--
A cluster whose endpoint is no node's address, as Memorystore's and Azure's port 10000: all works, and goes on without the endpoint
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 0);
$endpoint = new Wire($cluster->nodes[0], $port = free_port());
$names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->masters());
use_service("redis-cluster://127.0.0.1:$port", [], $names);
$lock = new RedisLock("redis-cluster://127.0.0.1:$port", ['renew' => true]);
$lock->lockAll($names, 0, 1.5);
unset($endpoint);
usleep(2_500_000);
is_so('kept without the endpoint', array_filter($names, fn ($name) => !$lock->isLocking($name)) === []);
is_so('given back without it', $lock->unlockAll());
?>
--EXPECT--
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
waits, and is handed it over: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits for a task: yes
kept without the endpoint: yes
given back without it: yes
