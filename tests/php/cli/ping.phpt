--TEST--
redislock ping: tells what endangers locks, and by its exit status whether anything does
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

/** Runs it and tells its warnings and notes, and its exit status, also with --strict. */
function ping(string $label, RedisServer $server): array
{
    $run = cli(['--server=' . $server->dsn(), 'ping', '--json']);
    $facts = $run->json();
    $strict = cli(['--server=' . $server->dsn(), 'ping', '--strict'])->status;
    echo "$label => $run->status, --strict $strict\n";
    foreach (['warnings', 'notes'] as $kind) {
        foreach ($facts[$kind] as $text) {
            echo '  ', rtrim($kind, 's'), ': ', preg_replace('/: (READONLY|OOM) .*/', ': $1 …', $text), "\n";
        }
    }
    return $facts;
}

$server = RedisServer::start(['maxmemory 100mb', 'maxmemory-policy noeviction', 'appendonly yes']);
$redis = $server->client();
$facts = ping('all is well', $server);
is_between('round trip', $facts['round_trip'], 0.000001, 1);
is_between('lock and unlock', $facts['lock_and_unlock'], 0.000001, 1);
is_so('server', $facts['server'] === $server->address() && $facts['version'] !== null && $facts['role'] === 'master');
is_so('memory', $facts['maxmemory'] === 100 << 20 && $facts['maxmemory_policy'] === 'noeviction' && $facts['used_memory'] > 0);
is_so('disk', $facts['aof'] === true && $facts['save'] === '');
is_so('it leaves no key', all_keys($redis) === []);

foreach (['allkeys-lru', 'volatile-ttl'] as $policy) {
    $redis->cmd('CONFIG', 'SET', 'maxmemory-policy', $policy);
    ping($policy, $server);
}
$redis->cmd('CONFIG', 'SET', 'maxmemory', '0');
ping('a policy without a limit', $server);

$redis->cmd('SET', 'cache:1', 'x');
$redis->cmd('SET', 'lock:SKU0001', 'x');
ping('a database that is shared', $server);
$redis->cmd('FLUSHALL');

$redis->cmd('CONFIG', 'SET', 'appendonly', 'no');
ping('nothing on disk', $server);
$redis->cmd('CONFIG', 'SET', 'save', '3600 1');
ping('snapshots', $server);

$redis->cmd('REPLICAOF', '127.0.0.1', '1');
ping('a replica', $server);
$redis->cmd('REPLICAOF', 'NO', 'ONE');

$redis->cmd('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
$redis->cmd('CONFIG', 'SET', 'maxmemory', '1mb');
$facts = ping('full', $server);
var_dump($facts['lock_and_unlock']);
$redis->cmd('CONFIG', 'SET', 'maxmemory', '0');

echo "for people\n";
$shown = cli(['--server=' . $server->dsn(), 'ping'])->out;
echo preg_replace(['~' . preg_quote($server->address(), '~') . '\S*~', '/[\d.]+ ms/', '/[\d.]+ MB/', '/^(version +\S+ )[\d.]+/m'], ['unix://…', 'N ms', 'N MB', '$1N'], str_replace('valkey', 'redis', $shown));
?>
--EXPECT--
all is well => 0, --strict 0
round trip: yes
lock and unlock: yes
server: yes
memory: yes
disk: yes
it leaves no key: yes
allkeys-lru => 1, --strict 1
  warning: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
volatile-ttl => 1, --strict 1
  warning: maxmemory-policy is volatile-ttl: when its memory is full, it deletes locks that are held; use noeviction
a policy without a limit => 0, --strict 0
a database that is shared => 0, --strict 1
  note: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
nothing on disk => 1, --strict 1
  warning: it keeps nothing on disk: a restart ends all locks; use appendonly yes
snapshots => 0, --strict 1
  note: it keeps snapshots only: a crash ends the locks that came after the last one; use appendonly yes
a replica => 3, --strict 3
  warning: this is a replica, which refuses locks; connect to its master, 127.0.0.1:1
  warning: it cannot be locked on: READONLY …
  note: it keeps snapshots only: a crash ends the locks that came after the last one; use appendonly yes
full => 3, --strict 3
  warning: more than 90 % of maxmemory are used: when it is full, lock() throws (OOM); give it more
  warning: it cannot be locked on: OOM …
  note: it keeps snapshots only: a crash ends the locks that came after the last one; use appendonly yes
NULL
for people
server        unix://…
version       redis N standalone master
round trip    N ms
lock, unlock  N ms
memory        N MB of no limit, noeviction
disk          no AOF, snapshots (3600 1)
replicas      0
keys          0
note: it keeps snapshots only: a crash ends the locks that came after the last one; use appendonly yes
