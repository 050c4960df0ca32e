--TEST--
redislock ping of a server that Sentinel names: what the sentinels say, and what would hinder or follow a failover
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../inc/sentinel.inc';

$set = SentinelSet::start(replicas: 2, config: ['appendonly yes', 'maxmemory 100mb', 'min-replicas-to-write 1', 'min-replicas-max-lag 10']);

/** Runs it and tells its warnings and notes, and its exit status. */
function ping(string $label, string $dsn): array
{
    $run = cli(["--server=$dsn", 'ping', '--json']);
    echo "$label => $run->status$run->err\n";
    $facts = $run->json();
    foreach (['warnings', 'notes'] as $kind) {
        foreach ($facts[$kind] as $text) {
            echo '  ', rtrim($kind, 's'), ': ', preg_replace('/127\.0\.0\.1:\d+/', 'HOST:PORT', $text), "\n";
        }
    }
    return $facts;
}

$facts = ping('all is well', $set->dsn());
is_so('server', $facts['server'] === $set->dsn() . '/0' && $facts['role'] === 'master', $facts);
is_so('master', $facts['master'] === '127.0.0.1:' . $set->master()->port(), $facts['master']);
echo json_encode(array_intersect_key($facts, array_flip(['sentinels', 'quorum', 'replicas', 'min_replicas']))), "\n";
is_so('it can be locked on', $facts['lock_and_unlock'] > 0);

ping('named by one sentinel', $set->dsn(sentinels: [$set->sentinels[1]]));
$set->sentinels[0]->kill();
ping('one sentinel is down', $set->dsn());
$set->sentinels[1]->pause();
ping('two say nothing', $set->dsn());
$set->sentinels[1]->resume();
$set->sentinels[0]->restart();

$master = $set->master();
[$first, $second] = $set->others($master);
$replicas = fn (int $count) => wait_until(fn () => server_info($master->client(), 'replication')['connected_slaves'] === (string) $count, 10.0);
$master->client()->cmd('CONFIG', 'SET', 'min-replicas-to-write', '0');
ping('no least number of replicas', $set->dsn());
$second->kill();
$replicas(1);
ping('nor a second replica', $set->dsn());
$master->client()->cmd('CONFIG', 'SET', 'min-replicas-to-write', '1');
ping('a least number of all there are', $set->dsn());
$first->kill();
$replicas(0);
ping('no replica', $set->dsn());

echo "for people\n";
$shown = cli(['--server=' . $set->dsn(), 'ping'])->out;
echo implode('', preg_grep('/^(master|sentinels) /', preg_split('/(?<=\n)/', preg_replace('/127\.0\.0\.1:\d+/', 'HOST:PORT', $shown))));
?>
--EXPECT--
all is well => 0
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
server: yes
master: yes
{"replicas":2,"sentinels":{"named":3,"answered":3,"known":3},"quorum":1,"min_replicas":true}
it can be locked on: yes
named by one sentinel => 0
  note: the DSN names 1 of 3 sentinels: if these fail, the master is not found; name all
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
one sentinel is down => 0
  note: a sentinel does not answer: HOST:PORT: no connection: refused, or not reachable; start it, or take it out of the DSN
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
two say nothing => 1
  warning: 1 of 3 sentinels answer, no majority: no failover comes when the master fails; start the others
  note: a sentinel does not answer: HOST:PORT: no connection: refused, or not reachable; start it, or take it out of the DSN
  note: a sentinel does not answer: HOST:PORT: no answer in time; start it, or take it out of the DSN
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
no least number of replicas => 0
  note: min-replicas-to-write is 0: a master that is cut off goes on granting locks beside the new one; use min-replicas-to-write 1 and min-replicas-max-lag 10
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
nor a second replica => 0
  note: a master that is cut off goes on granting locks beside the new one; have two replicas, then min-replicas-to-write 1 ends that
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
a least number of all there are => 0
  note: min-replicas-to-write is set, with one replica: after a failover no lock can be had until there is a replica again; have two
  note: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
no replica => 3
  warning: the master has no replica: nothing can replace it; add two, each with replicaof
  warning: it cannot be locked on: NOREPLICAS Not enough good replicas to write; see docs/troubleshooting.md, NOREPLICAS
for people
master        HOST:PORT
sentinels     3 of 3 answer, quorum 1
