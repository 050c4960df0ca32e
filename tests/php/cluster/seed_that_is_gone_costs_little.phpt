--TEST--
A first seed to which no connection comes about, as of a machine that is gone, costs a part of the time, also where nobody waits
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
$gone = stream_socket_server('tcp://127.0.0.1:0', context: stream_context_create(['socket' => ['backlog' => 1]]));
$address = stream_socket_get_name($gone, false);
for ($i = 0; $i < 8; $i++) { // what does not fit into its backlog is not answered
    $full[] = stream_socket_client("tcp://$address", $code, $why, 0.0, STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
}
usleep(50_000);
$dsn = str_replace('redis-cluster://', "redis-cluster://$address,", $cluster->dsn());
$lock = new RedisLock($dsn, ['connect_timeout' => 3.0]);
is_so('taken', $lock->lock('x', expire: 30.0));
is_so('released', $lock->unlock('x'));
?>
--EXPECT--
taken: yes
released: yes
