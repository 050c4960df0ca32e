--TEST--
A cluster of one host name and many ports over TLS, as Azure's and ElastiCache Serverless: all works, also as a user with few commands
--DESCRIPTION--
All nodes announce the host name, the certificates name nothing else. MemoryDB has such users, by ACL, and refuses the same commands.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
skip_without('openssl');
?>
--FILE--
<?php
require __DIR__ . '/use.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(
    masters: 3,
    replicas: 0,
    config: [
        'cluster-announce-hostname localhost', 'cluster-preferred-endpoint-type hostname',
        'user app on >token ~* &* +@all -@admin -select -cluster|nodes -cluster|shards -keys -role -wait',
    ],
    tls: true,
    certified: 'DNS:localhost',
);
$cluster->awaitAgreed();
$seed = 'localhost:' . $cluster->portOf($cluster->nodes[0]);
$names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->masters());
echo "with a password alone\n";
use_service("rediss-cluster://$seed", $cluster->options, $names);
echo "as a user\n";
use_service("rediss-cluster://app:token@$seed", $cluster->options, $names);
$port = $cluster->portOf($cluster->nodes[0]);
step('by the address', fn () => (new RedisLock("rediss-cluster://app:token@127.0.0.1:$port", $cluster->options))->lock('x'));
step('another database', fn () => (new RedisLock("rediss-cluster://app:token@$seed/1", $cluster->options))->lock('x'));
step('wants a replica', fn () => (new RedisLock("rediss-cluster://app:token@$seed", $cluster->options + ['replicas' => 1]))->lock('x'));
?>
--EXPECT--
with a password alone
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
as a user
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
by the address: RedisLockConnectionException: HOST:PORT: TLS: the certificate is not for 127.0.0.1 (lock "x")
another database: RedisLockConnectionException: HOST:PORT: database 1 was refused (NOPERM) (lock "x")
wants a replica: RedisLockServerException: HOST:PORT: NOPERM User app has no permissions to run the 'wait' command (lock "x")
