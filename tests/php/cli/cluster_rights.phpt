--TEST--
redislock on a cluster needs few rights: those of the documented users who look and who ping
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../inc/cluster.inc';
require_once __DIR__ . '/../readme/blocks.inc';

/** The rules of a user that docs/operations.md shows. */
function rules(string $user): array
{
    preg_match("/^ACL SETUSER $user on >secret (.*)$/m", readme('docs/operations.md'), $found);
    return explode(' ', $found[1]);
}

$cluster = Cluster::start(replicas: 0);
$names = array_map(fn ($master) => $cluster->nameOn($master), $cluster->masters());
array_map((new RedisLock($cluster->dsn(), ['auto_release' => false]))->lock(...), $names);

/** Runs it as a user with these rights, and shows its status, what failed, and which commands were denied. */
function run_as(string $label, array $rules, string $command, ...$args): void
{
    global $cluster;
    static $i = 0;
    $i++;
    foreach ($cluster->nodes as $node) {
        $node->client()->cmd('ACL', 'SETUSER', "user$i", 'reset', 'on', '>secret', ...$rules);
        $node->client()->cmd('ACL', 'LOG', 'RESET');
    }
    $run = cli(['--server=env:LOCKS', $command, '--json', ...$args], ['LOCKS' => $cluster->dsn(credentials: "user$i:secret")]);
    $denied = [];
    foreach ($cluster->nodes as $node) {
        foreach ($node->client()->cmd('ACL', 'LOG') as $entry) {
            $entry = array_column(array_chunk($entry, 2), 1, 0);
            $denied[] = "{$entry['reason']} {$entry['object']}";
        }
    }
    $facts = json_decode($run->out, true);
    echo "$label => $run->status ", preg_replace('/127\.0\.0\.1:\d+(,127\.0\.0\.1:\d+)*/', 'HOST:PORT', $run->err ?: json_encode(isset($facts['cluster']) ? $facts['cluster'] : count($facts)) . "\n");
    echo '  denied: ', implode(', ', array_unique($denied)), "\n";
}

$monitor = [...rules('monitor'), ...['+asking', '+cluster|slots', '+cluster|info', '+cluster|nodes']];
run_as('ls', rules('viewer'), 'ls');
run_as('show', rules('viewer'), 'show', $names[2]);
run_as('ls without +cluster|slots', array_diff(rules('viewer'), ['+cluster|slots']), 'ls');
run_as('show without +cluster|slots', array_diff(rules('viewer'), ['+cluster|slots']), 'show', $names[2]);
run_as('ping', $monitor, 'ping');
run_as('ping without +cluster|info', array_diff($monitor, ['+cluster|info', '+cluster|nodes']), 'ping');
$cluster->beginMigration("lock:$names[0]", $cluster->masters()[1]);
run_as('an open slot', rules('viewer'), 'show', $names[0]);
$cluster->masters()[0]->client()->cmd('DEL', "lock:$names[0]");
run_as('the lock that is gone, without +asking', array_diff(rules('viewer'), ['+asking']), 'show', $names[0]);
?>
--EXPECT--
ls => 0 3
  denied: 
show => 0 17
  denied: 
ls without +cluster|slots => 3 redislock: redis-cluster://HOST:PORT/0: the user may not ask for the nodes (NOPERM): it needs +cluster|slots
  denied: command cluster|slots
show without +cluster|slots => 0 17
  denied: command cluster|slots
ping => 1 {"state":"ok","slots":16384,"masters":3,"replicas":0,"silent":[],"open_slots":0}
  denied: 
ping without +cluster|info => 1 {"state":null,"slots":16384,"masters":3,"replicas":0,"silent":[],"open_slots":0}
  denied: command cluster|nodes, command cluster|info
an open slot => 0 17
  denied: 
the lock that is gone, without +asking => 3 redislock: redis-cluster://HOST:PORT/0: HOST:PORT: MOVED 3597 HOST:PORT
  denied: command asking
