--TEST--
A managed server that takes no command of an administrator, and has one database: all works, and ping says what it cannot see
--DESCRIPTION--
ElastiCache with cluster mode disabled, Memorystore, OCI Cache, Azure without clustering: their lists of refused commands, together.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
skip_without('openssl');
?>
--FILE--
<?php
require __DIR__ . '/use.inc';
require __DIR__ . '/../tls/tls.inc';
require __DIR__ . '/../cli/cli.inc';

$refused = [
    'ACL', 'BGREWRITEAOF', 'BGSAVE', 'CLIENT', 'CLUSTER', 'COMMAND', 'CONFIG', 'DEBUG', 'KEYS', 'LASTSAVE', 'MIGRATE', 'MODULE', 'MONITOR',
    'OBJECT', 'PSYNC', 'REPLICAOF', 'ROLE', 'SAVE', 'SCRIPT', 'SHUTDOWN', 'SLAVEOF', 'SYNC', 'WAIT',
];
$tls = TlsServer::start(['subjectAltName' => 'DNS:localhost'], [
    'tls-auth-clients no', 'databases 1', 'requirepass token', ...array_map(fn ($command) => "rename-command $command \"\"", $refused),
]);
$dsn = "rediss://:token@localhost:$tls->port";
$options = ['tls' => ['cafile' => $tls->authority]];
use_service($dsn, $options);
step('wants a replica', fn () => (new RedisLock($dsn, $options + ['replicas' => 1]))->lock('x'));
step('another database', fn () => (new RedisLock("$dsn/1", $options))->lock('x'));
$run = cli(['--server=env:REDISLOCK_SERVER', "--tls=cafile=$tls->authority", 'ping'], ['REDISLOCK_SERVER' => $dsn]);
echo preg_replace(['~rediss://\S+~', '~[\d.]+ (ms|MB)~', '~^(version|keys)( +).*~m'], ['SERVER', 'N $1', '$1$2…'], "$run->out$run->err"), "=> $run->status\n";
?>
--EXPECT--
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
waits, and is handed it over: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits for a task: yes
wants a replica: RedisLockServerException: the server has no WAIT, which the option replicas needs (ERR unknown command 'WAIT') (lock "x")
another database: RedisLockConnectionException: database 1 was refused (ERR) (lock "x")
server        SERVER
version       …
round trip    N ms
lock, unlock  N ms
memory        N MB of no limit, noeviction
disk          no AOF
replicas      0
keys          …
note: there is no AOF, and CONFIG GET is refused: whether a restart ends all locks is not known; allow CONFIG GET, or see the console of the service
note: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
=> 0
