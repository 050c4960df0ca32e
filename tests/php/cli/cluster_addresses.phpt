--TEST--
redislock reaches the nodes of a cluster as it announces them: by address, by name, and where it knows neither, at the host that was asked
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

$cluster = Cluster::start(replicas: 0);
$lock = new RedisLock($cluster->dsn(), ['auto_release' => false]);
$names = array_map(fn ($master) => $cluster->nameOn($master), $cluster->masters());
array_map(fn ($name) => $lock->lock($name, 0, 3600), $names);
sort($names, SORT_NATURAL);
$dsn = 'redis-cluster://' . $cluster->nodes[0]->login() . 'localhost:' . $cluster->portOf($cluster->nodes[0]);

/** Sets what the nodes announce, and tells to which hosts it goes. */
function announce(string $label, string ...$settings): void
{
    global $cluster, $dsn, $names;
    foreach ($cluster->nodes as $node) {
        $node->client()->cmd('CONFIG', 'SET', ...$settings);
    }
    $hosts = array_unique(array_map(fn ($where) => strstr($where, ':', true), array_keys(cli(["--server=$dsn", 'ping', '--json'])->json()['nodes'])));
    $found = array_column(cli(["--server=$dsn", 'ls', '--json'])->json(), 'name');
    echo "$label: ", implode(' ', $hosts), $found === $names ? '' : ' NOT ALL: ' . json_encode($found), "\n";
}

announce('by address', 'cluster-preferred-endpoint-type', 'ip');
announce('names that nobody has set', 'cluster-preferred-endpoint-type', 'hostname');
announce('as was asked', 'cluster-preferred-endpoint-type', 'unknown-endpoint');
// Redirections lead there too.
$cluster->migrate("lock:$names[0]", $cluster->others($cluster->ownerOf("lock:$names[0]"))[0]);
foreach ($names as $name) {
    echo "$name: ", cli(["--server=$dsn", 'show', $name])->status, "\n";
}
?>
--EXPECT--
by address: 127.0.0.1
names that nobody has set: 127.0.0.1
as was asked: localhost
x0: 0
x2: 0
x3: 0
