--TEST--
redislock doctor of a cluster: each master, its settings and its users; names without a master are CRITICAL
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(replicas: 0, config: HEALTHY);
[$a, $b, $c] = $cluster->masters();
diagnose('no replicas', $cluster->dsn());
$b->client()->cmd('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
foreach ([$a, $b, $c] as $node) {
    $node->client()->cmd('ACL', 'SETUSER', 'shop', 'on', '>secret', ...array_diff(minimal_rights(), ['+asking', $node === $b ? '+zadd' : '']));
}
$said = diagnose('one evicts, and its user lacks more', $cluster->dsn(), '--user=shop');
is_so('what is to be typed at each', count(array_unique(about($said, 'rights')[0]['commands'])) >= 3, $said);
$c->kill();
$said = diagnose('a master is down', $cluster->dsn());
is_so('the others are told of', count($said['servers'][array_key_first($said['servers'])]['nodes']) === 3, $said);
$shown = cli(['--server=' . $cluster->dsn(), 'doctor'])->out;
is_so('nothing is said to be well', !str_contains($shown, "\nok: "), $shown);
?>
--EXPECT--
no replicas => 1
  the status is that of the exit: yes
  warning, replicas at 3: the master has no replica: nothing can replace it; add two, each with replicaof
one evicts, and its user lacks more => 2
  the status is that of the exit: yes
  critical, memory at 1: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
  warning, replicas at 3: the master has no replica: nothing can replace it; add two, each with replicaof
  warning, rights at 3: shop lacks +asking: a name whose slot is just being moved cannot be locked; allow it
  warning, rights at 1: shop lacks +zadd: no call can wait: if the lock is held, lock() with a timeout throws; allow it
what is to be typed at each: yes
a master is down => 2
  the status is that of the exit: yes
  critical, cluster: a master does not answer: HOST:PORT: Connection refused: names in its slots cannot be locked until a replica takes over; start it, or have a replica take over
  critical, memory at 1: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
  warning, replicas at 2: the master has no replica: nothing can replace it; add two, each with replicaof
the others are told of: yes
nothing is said to be well: yes
