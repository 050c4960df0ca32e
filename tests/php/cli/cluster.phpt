--TEST--
redislock on a cluster sees the locks of all masters, and asks the master of a name for one
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

$cluster = Cluster::start(replicas: 0);
$masters = $cluster->masters();
$lock = new RedisLock($cluster->dsn(), ['auto_release' => false, 'fencing' => true]);
$names = array_map(fn ($master) => $cluster->nameOn($master, 'SKU'), $masters);
array_map(fn ($name) => $lock->lock($name, 0, 3600), [...$names, 'a{tag}']);

/** Runs it on these nodes, and shows what it says. What differs each time is made the same. */
function ask(string $dsn, string ...$args): void
{
    global $names;
    $run = cli(["--server=$dsn", ...$args]);
    $same = array_combine(array_map(fn ($name) => "/\\b$name\\b/", $names), ['SKU-A', 'SKU-B', 'SKU-C'])
        + ['/rl:[0-9a-f]{32}|rl:[0-9a-f]{22}…/' => 'rl:…', '/127\.0\.0\.1:\d+/' => 'HOST:PORT', '/ +\d+(\.\d)? s\b/' => '  N s', '/\d\d:\d\d:\d\d/' => 'HH:MM:SS', '/(fence  +)\d+/' => '$1N', '/ +$/m' => '', '/ {3,}/' => '  '];
    echo preg_replace(array_keys($same), array_values($same), $run->out . $run->err), "=> $run->status\n";
}

// One of the nodes is enough to find the others.
ask($cluster->dsn(seeds: [$masters[1]]), 'ls', 'SKU*');
ask(preg_replace('/^redis/', 'VALKEY', $cluster->dsn(seeds: [$masters[2]])), 'ls', '*tag*');
ask($cluster->dsn(0), 'watch', '--count=1', 'a*');
is_so('json', array_column(cli(['--server=' . $cluster->dsn(), 'ls', '--json'])->json(), 'name') === array_column(json_decode(cli(['--server=' . $cluster->dsn(), 'watch', '--json', '--count=1'])->out, true)['locks'], 'name'));
foreach ($names as $name) {
    ask($cluster->dsn(seeds: [$masters[0]]), 'show', $name);
}
ask($cluster->dsn(seeds: [$masters[0]]), 'show', 'tag}ged');
ask($cluster->dsn(), 'show', 'none');

echo "release\n";
foreach ($names as $name) {
    ask($cluster->dsn(seeds: [$masters[0]]), 'release', '--force', $name);
    is_so('is free', !$lock->isLocking($name));
}
ask($cluster->dsn(), 'release', '--force', $names[0]);
ask($cluster->dsn(), 'ls', 'SKU*');

echo "a node that is down\n";
$lock->lock($names[0], 0, 3600);
$lock->lock($names[1], 0, 3600);
array_map(fn ($master) => $master->client()->cmd('CONFIG', 'SET', 'cluster-require-full-coverage', 'no'), $masters);
$masters[1]->kill();
ask($cluster->dsn(seeds: [$masters[1], $masters[2]]), 'ls', 'SKU*');
ask($cluster->dsn(seeds: [$masters[1], $masters[2]]), 'watch', 'SKU*', '--count=1');
is_so('watch --json says so', str_contains(cli(['--server=' . $cluster->dsn(seeds: [$masters[2]]), 'watch', '--json', '--count=1'])->out, '"missing":["redis-cluster:'));
ask($cluster->dsn(seeds: [$masters[2]]), 'show', $names[1]);
ask($cluster->dsn(seeds: [$masters[1]]), 'ls');

echo "no cluster\n";
$single = RedisServer::startAlone([], true);
ask('redis-cluster://127.0.0.1:' . $single->port(), 'ls');
ask('redis://127.0.0.1:' . $cluster->portOf($masters[2]), 'show', $names[0]);
ask('redis://127.0.0.1:' . $cluster->portOf($masters[0]), 'ls', 'SKU*');
ask('redis://127.0.0.1:' . $cluster->portOf($masters[0]), 'watch', 'SKU*', '--count=1');
ask($cluster->dsn(1, [$masters[2]]), 'ls');
?>
--EXPECT--
NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
SKU-B  rl:…  N s  0
SKU-C  rl:…  N s  0
SKU-A  rl:…  N s  0
=> 0
NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
a{tag}  rl:…  N s  0
=> 0
HH:MM:SS  redis-cluster://HOST:PORT,HOST:PORT,HOST:PORT/0, 1 held

NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
a{tag}  rl:…  N s  0

=> 0
json: yes
name  SKU-A
key  lock:SKU-A
owner  rl:…
lease  N s
waiters  0
fence  N
=> 0
name  SKU-B
key  lock:SKU-B
owner  rl:…
lease  N s
waiters  0
fence  N
=> 0
name  SKU-C
key  lock:SKU-C
owner  rl:…
lease  N s
waiters  0
fence  N
=> 0
redislock: name must not have a "}" in its key (prefix and name) unless the first "{" there begins a hash tag, such as "{tag}": a cluster would put the keys of such a name into different slots
=> 2
none is free
=> 1
release
SKU-A was taken from rl:…
=> 0
is free: yes
SKU-B was taken from rl:…
=> 0
is free: yes
SKU-C was taken from rl:…
=> 0
is free: yes
SKU-A is free
=> 1
no lock is held
=> 0
a node that is down
NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
SKU-A  rl:…  N s  0
redislock: not all locks are shown: redis-cluster://HOST:PORT,HOST:PORT/0: HOST:PORT: Connection refused
=> 3
HH:MM:SS  redis-cluster://HOST:PORT,HOST:PORT/0, 1 held
not shown: redis-cluster://HOST:PORT,HOST:PORT/0: HOST:PORT: Connection refused

NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
SKU-A  rl:…  N s  0

=> 0
watch --json says so: yes
redislock: redis-cluster://HOST:PORT/0: HOST:PORT: Connection refused
=> 3
redislock: redis-cluster://HOST:PORT/0: HOST:PORT: Connection refused
=> 3
no cluster
redislock: redis-cluster://HOST:PORT/0: HOST:PORT: this is no node of a cluster: use redis://
=> 3
redislock: redis://HOST:PORT/0: this is a node of a cluster, and another node has this key: use redis-cluster://
=> 3
NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
SKU-A  rl:…  N s  0
redislock: not all locks are shown: redis://HOST:PORT/0: this is a node of a cluster, and others have names too: use redis-cluster://
=> 3
HH:MM:SS  redis://HOST:PORT/0, 1 held
not shown: redis://HOST:PORT/0: this is a node of a cluster, and others have names too: use redis-cluster://

NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
SKU-A  rl:…  N s  0

=> 0
redislock: redis-cluster://HOST:PORT/1: HOST:PORT: SELECT: ERR SELECT is not allowed in cluster mode
=> 3
