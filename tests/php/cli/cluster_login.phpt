--TEST--
redislock logs in at each node of a cluster, over TLS where it is rediss-cluster://
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(replicas: 0, password: 'at-m4ster', tls: true);
$lock = new RedisLock($cluster->dsn(), $cluster->options + ['auto_release' => false]);
$names = array_map(fn ($master) => $cluster->nameOn($master), $cluster->masters());
array_map($lock->lock(...), $names);
sort($names, SORT_NATURAL);
$env = ['LOCKS' => $cluster->dsn(), 'WRONG' => $cluster->dsn(credentials: ':wr0ng'), 'NONE' => str_replace(':at-m4ster@', '', $cluster->dsn())];

/** Looks for the locks, and shows what it says. */
function look(string $label, string $server, string ...$args): void
{
    global $env, $names;
    $run = cli(["--server=$server", ...$args, 'ls', '--json'], $env, ['-d', 'redislock.connect_timeout=3']);
    $same = ['/127\.0\.0\.1:\d+(,HOST:PORT|,127\.0\.0\.1:\d+)*/' => 'HOST:PORT', '/(HOST:PORT: ).*(certificate|closed|SSL).*/' => '$1…'];
    echo "$label: ", preg_replace(array_keys($same), array_values($same), $run->err), "=> $run->status\n";
    $run->status !== 0 || is_so('  all', array_column($run->json(), 'name') === $names, $run->json());
    has_no_secret('  ', "$run->out$run->err", 'm4ster', 'wr0ng');
}

$tls = '--tls=cafile=' . $cluster->options['tls']['cafile'];
look('the default user', 'env:LOCKS', $tls);
look('typed', $cluster->dsn(), $tls);
look('none', 'env:NONE', $tls);
look('a wrong one', 'env:WRONG', $tls);
look('no authority', 'env:LOCKS');
$run = cli(['--server=env:LOCKS', $tls, 'ping', '--json'], $env);
echo json_encode($run->json()['cluster']), "\n";
has_no_secret('  ', "$run->out$run->err", 'm4ster');
?>
--EXPECT--
the default user: => 0
  all: yes
  : no secret
typed: redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  all: yes
  : no secret
none: redislock: rediss-cluster://HOST:PORT/0: HOST:PORT: a password is needed (NOAUTH): put [user]:password@ before the host, all of it into an environment variable, and use --server=env:NAME
=> 3
  : no secret
a wrong one: redislock: rediss-cluster://HOST:PORT/0: HOST:PORT: the login was refused (WRONGPASS)
=> 3
  : no secret
no authority: redislock: rediss-cluster://HOST:PORT/0: HOST:PORT: …
=> 3
  : no secret
{"state":"ok","slots":16384,"masters":3,"replicas":0,"silent":[],"open_slots":0}
  : no secret
