--TEST--
A cluster whose nodes announce IPv6 addresses: locks are taken, waited for and renewed there, and a slot that moves is followed
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (!@stream_socket_server('tcp://[::1]:0')) {
    die('skip needs IPv6 on the loopback interface');
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../wait/remote.inc';

$cluster = Cluster::start(masters: 3, replicas: 0, config: ['bind 127.0.0.1 ::1', 'cluster-announce-ip ::1']);
$says = fn () => array_filter($cluster->nodes, fn ($node) => str_contains(json_encode($node->client()->cmd('CLUSTER', 'SLOTS')), '127.0.0.1'));
is_so('all nodes announce it', wait_until(fn () => !$says(), 20.0));
$dsn = 'redis-cluster://' . $cluster->nodes[0]->login() . '[::1]:' . $cluster->portOf($cluster->nodes[0]);
$lock = new RedisLock($dsn, ['renew' => true]);
$names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->masters());
is_so('locked', $lock->lockAll($names, 1.0, 1.5));
usleep(2_000_000);
is_so('renewed', array_filter($names, fn ($name) => !$lock->isLocking($name)) === []);
$waiter = Remote::start($dsn);
$waiter->begin('lock', $names[1], 10.0);
is_so('one waits', wait_until(fn () => $lock->waiters($names[1]) === 1));
$cluster->migrate("lock:$names[1]", $cluster->nodes[0]);
is_so('released', $lock->unlockAll());
is_so('handed over', $waiter->answer()['result']);
?>
--EXPECT--
all nodes announce it: yes
locked: yes
renewed: yes
one waits: yes
released: yes
handed over: yes
