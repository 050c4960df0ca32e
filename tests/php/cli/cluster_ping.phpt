--TEST--
redislock ping of a cluster judges each master, and tells what no single one knows
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(replicas: 2, config: ['appendonly yes', 'maxmemory 100mb', 'min-replicas-to-write 1', 'min-replicas-max-lag 10']);
[$a, $b, $c] = $cluster->masters();
$other = $cluster->nameOn($b, 'other', keyPrefix: '');
// A replica is told of once it has had something.
array_map(fn ($master) => $master->client()->cmd('DEL', $cluster->nameOn($master, keyPrefix: '')), [$a, $b, $c]);
$listed = fn ($node) => array_sum(array_map(fn ($piece) => count($piece) - 3, $node->client()->cmd('CLUSTER', 'SLOTS')));
wait_until(fn () => array_unique(array_map($listed, $cluster->nodes)) === [6]);

/** What it says, each node by its place in the cluster. */
function told(string $text): string
{
    global $cluster;
    $names = [];
    foreach ($cluster->nodes as $number => $node) {
        $names['127.0.0.1:' . $cluster->portOf($node)] = 'NODE' . $number + 1;
    }
    return preg_replace('/127\.0\.0\.1:\d+/', 'HOST:PORT', strtr($text, $names));
}

/** Runs it and tells its warnings and notes, and its exit status. */
function ping(string $label, string $dsn): array
{
    $run = cli(["--server=$dsn", 'ping', '--json']);
    echo "$label => $run->status$run->err\n";
    $facts = $run->json();
    foreach (['warnings', 'notes'] as $kind) {
        foreach ($facts[$kind] as $text) {
            echo '  ', rtrim($kind, 's'), ': ', told($text), "\n";
        }
    }
    return $facts;
}

$facts = ping('all is well', $cluster->dsn());
is_so('server', $facts['server'] === $cluster->dsn() . '/0', $facts['server']);
echo told(json_encode($facts['cluster'])), "\n";
echo told(json_encode(array_map(fn ($node) => array_intersect_key($node, array_flip(['server', 'mode', 'role', 'replicas', 'min_replicas', 'keys'])), $facts['nodes']))), "\n";
is_so('all can be locked on', $facts['lock_and_unlock'] > 0 && min(array_column($facts['nodes'], 'lock_and_unlock')) > 0);

ping('named by one node', $cluster->dsn(seeds: [$cluster->nodes[8]]));
$b->client()->cmd('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
$b->client()->cmd('SET', $other, 1);
$b->client()->cmd('CONFIG', 'SET', 'min-replicas-to-write', '0');
ping('settings of one', $cluster->dsn());
$b->client()->cmd('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
$b->client()->cmd('CONFIG', 'SET', 'min-replicas-to-write', '1');
$b->client()->cmd('DEL', $other);

$cluster->beginMigration('lock:x', $cluster->others($cluster->ownerOf('lock:x'))[0]);
ping('a slot is open', $cluster->dsn());
$cluster->migrate('lock:x', $cluster->others($cluster->ownerOf('lock:x'))[0]);

$cluster->replicasOf($c)[0]->kill();
ping('a replica is down', $cluster->dsn());
$c->kill();
$facts = ping('its master too', $cluster->dsn());
is_so('the master', $facts['nodes']['127.0.0.1:' . $cluster->portOf($c)]['error'] === 'Connection refused', $facts['nodes']);
echo told(json_encode($facts['cluster'])), "\n";

echo "for people\n";
$shown = cli(['--server=' . $cluster->dsn(), 'ping'])->out;
$same = ['/ \d+\.\d\d ms/' => ' N ms', '/\b\d+\.\d MB of/' => 'N MB of', '/\w+ \d+\.\d+\.\d+ /' => 'redis VERSION ', '/ +$/m' => '', '/ {3,}/' => '  '];
echo preg_replace(array_keys($same), array_values($same), told(strstr($shown, 'warning:', true)));

echo "a node that is no longer one\n";
$shown = cli(['--server=' . $cluster->dsn() . ',127.0.0.1:1', 'ping', '--json'])->json();
is_so('is told', in_array('a node that the DSN names does not answer: 127.0.0.1:1: Connection refused; start it, or take it out of the DSN', $shown['notes'], true) && count($shown['cluster']['silent']) === 2, $shown['notes']);

echo "one shard\n";
$one = Cluster::start(masters: 1, replicas: 0, config: ['appendonly yes']);
ping('no replica', $one->dsn());
?>
--EXPECT--
all is well => 0
  note: each master: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
server: yes
{"state":"ok","slots":16384,"masters":3,"replicas":6,"silent":[],"open_slots":0}
{"NODE1":{"server":"NODE1","mode":"cluster","role":"master","replicas":2,"keys":0,"min_replicas":true},"NODE2":{"server":"NODE2","mode":"cluster","role":"master","replicas":2,"keys":0,"min_replicas":true},"NODE3":{"server":"NODE3","mode":"cluster","role":"master","replicas":2,"keys":0,"min_replicas":true}}
all can be locked on: yes
named by one node => 0
  note: the DSN names one node of 9: if it is down, a new process finds no other; name several
  note: each master: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
settings of one => 1
  warning: NODE2: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
  note: each master: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
  note: NODE2: min-replicas-to-write is 0: a master that is cut off goes on granting locks for up to cluster-node-timeout, which a failover then loses; use min-replicas-to-write 1 and min-replicas-max-lag 10
  note: NODE2: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
a slot is open => 0
  note: a slot is on the way to another master: if nobody is moving slots now, a move broke off; end it with redis-cli --cluster fix
  note: each master: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
a replica is down => 0
  note: a replica does not answer: NODE6: Connection refused; start it
  note: each master: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
  note: NODE3: min-replicas-to-write is set, with one replica: after a failover no lock can be had until there is a replica again; have two
its master too => 3
  warning: a master does not answer: NODE3: Connection refused: names in its slots cannot be locked until a replica takes over; start it, or have a replica take over
  note: a replica does not answer: NODE6: Connection refused; start it
  note: NODE1, NODE2: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
the master: yes
{"state":"ok","slots":16384,"masters":3,"replicas":6,"silent":["NODE3","NODE6"],"open_slots":0}
for people
server  redis-cluster://NODE1,NODE2,NODE3,NODE4,NODE5,NODE6,NODE7,NODE8,NODE9/0
cluster  ok, 16384 of 16384 slots have a master
nodes  3 masters, 6 replicas; 7 of 9 answer

MASTER  VERSION  MEMORY  DISK  ROUND TRIP  LOCK, UNLOCK  REPLICAS  KEYS
NODE1  redis VERSION  N MB of 100.0 MB, noeviction  AOF  N ms  N ms  2  0
NODE2  redis VERSION  N MB of 100.0 MB, noeviction  AOF  N ms  N ms  2  0
NODE3  no answer

a node that is no longer one
is told: yes
one shard
no replica => 1
  warning: HOST:PORT: the master has no replica: nothing can replace it; add two, each with replicaof
  note: one master: if the nodes elect who takes over, that needs a majority of the masters; have three
