--TEST--
The tests' own cluster: a planned failover, a master that is killed, and nodes that come and go
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(masters: 3, replicas: 1, nodeTimeout: SOON_FAILED);
$old = $cluster->ownerOf('x');
$old->client()->cmd('SET', 'x', 'kept');
[$replica] = $cluster->replicasOf($old);

$cluster->failover($replica);
is_so('planned: the replica owns the key', $cluster->ownerOf('x') === $replica && $replica->client()->cmd('GET', 'x') === 'kept');
is_so('planned: the old master is its replica', $cluster->replicasOf($replica) === [$old]);
try {
    $old->client()->cmd('SET', 'x', 'lost');
} catch (RespError $e) {
    is_so('planned: the old master redirects', $e->getMessage() === 'MOVED ' . Cluster::slot('x') . ' 127.0.0.1:' . $cluster->portOf($replica));
}

is_so('replicated', $cluster->awaitReplicated($replica));
$replica->kill();
is_so('killed: the other is promoted', $cluster->awaitPromotion($replica) === $old);
is_so('killed: it has the key', $cluster->ownerOf('x') === $old && $old->client()->cmd('GET', 'x') === 'kept');
$replica->restart();
$cluster->awaitAgreed();
is_so('back: a replica', $cluster->replicasOf($old) === [$replica]);

$new = $cluster->addMaster();
$cluster->migrate('x', $new);
is_so('a new master takes the slot', $cluster->ownerOf('x') === $new && $new->client()->cmd('GET', 'x') === 'kept');
$another = $cluster->addReplica($new);
is_so('with a replica', $cluster->replicasOf($new) === [$another]);
$cluster->migrate('x', $old);
$cluster->remove($another);
$cluster->remove($new);
is_so('and goes', count($cluster->masters()) === 3 && $cluster->ownerOf('x') === $old);
?>
--EXPECT--
planned: the replica owns the key: yes
planned: the old master is its replica: yes
planned: the old master redirects: yes
replicated: yes
killed: the other is promoted: yes
killed: it has the key: yes
back: a replica: yes
a new master takes the slot: yes
with a replica: yes
and goes: yes
