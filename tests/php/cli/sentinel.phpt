--TEST--
redislock asks the master that Sentinel names, and the next one after a failover
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../sentinel/failover.inc';

$set = SentinelSet::start(downAfter: 600);
$lock = new RedisLock($set->dsn(1), ['auto_release' => false]);
$lock->lock('SKU0001', 0, 3600);

/** Runs it on the server that the sentinels name, and shows what it says. What differs each time is made the same. */
function ask(string $dsn, string ...$args): void
{
    $run = cli(["--server=$dsn", ...$args]);
    $same = ['/rl:[0-9a-f]{32}|rl:[0-9a-f]{22}…/' => 'rl:…', '/127\.0\.0\.1:\d+/' => 'HOST:PORT', '/ +\d+(\.\d)? s\b/' => '  N s', '/\d\d:\d\d:\d\d/' => 'HH:MM:SS'];
    echo preg_replace(array_keys($same), array_values($same), $run->out . $run->err), "=> $run->status\n";
}

ask($set->dsn(1), 'ls');
ask(preg_replace('/^redis/', 'VALKEY', $set->dsn(1)), 'ls');
ask(str_replace('/mymaster/1', '/mymaster?db=1', $set->dsn(1)), 'show', 'SKU0001');
ask($set->dsn(), 'show', 'SKU0001');
ask($set->dsn(1), 'watch', '--count=1');
ask($set->dsn(1, name: 'other'), 'ls');
ask('redis-sentinel://127.0.0.1:1/mymaster', 'ls');
ask('redis-sentinel://127.0.0.1:' . $set->servers[0]->port() . '/mymaster', 'ls');

// A sentinel that says nothing is not waited for.
$set->sentinels[2]->pause();
took_between('a sentinel stands still', seconds(fn () => ask($set->dsn(1), 'ls', 'none')), 0, 0.9);
ask($set->dsn(name: 'other', sentinels: [$set->sentinels[0], $set->sentinels[2], 1]), 'ls');
$set->sentinels[2]->resume();
ask($set->dsn(name: 'other', sentinels: [$set->sentinels[0], 1, 2]), 'ls');

// The usual failover: the master says nothing.
$old = $set->master();
$watch = new Child([...php_command(), dirname(__DIR__, 3) . '/bin/redislock', '--server=' . $set->dsn(1), 'watch', '--json', '--interval=0.2', '--count=100000'], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]]);
is_so('watch sees it', str_contains((string) fgets($watch->pipes[1]), '"SKU0001"'));
await_replicated($set);
$old->pause();
$new = $set->awaitPromotion($old);
ask($set->dsn(1), 'ls');
$lock->lock('after', 5, 3600);
$seen = '';
while (!str_contains($seen, '"after"') && ($line = fgets($watch->pipes[1])) !== false) {
    $seen = $line;
}
is_so('watch goes on at the new master', str_contains($seen, '"after"'), $seen);
$watch->kill();
ask($set->dsn(1), 'release', 'SKU0001', '--force');
is_so('released there', $new->client()->cmd('SELECT', 1) === 'OK' && !$lock->isLocking('SKU0001'));
$old->resume();
?>
--EXPECT--
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:…  N s                 0
=> 0
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:…  N s                 0
=> 0
name     SKU0001
key      lock:SKU0001
owner    rl:…
lease  N s
waiters  0
=> 0
SKU0001 is free
=> 1
HH:MM:SS  redis-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/1, 1 held

NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:…  N s                 0

=> 0
redislock: redis-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/other/1: the sentinels watch no master named 'other'
=> 3
redislock: redis-sentinel://HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: no connection: refused, or not reachable
=> 3
redislock: redis-sentinel://HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: it is no sentinel (ERR unknown command)
=> 3
no lock is held
=> 0
a sentinel stands still: yes
redislock: redis-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/other/0: too few sentinels have answered in time, and none of them watches a master named 'other'
=> 3
redislock: redis-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/other/0: the sentinels watch no master named 'other'
=> 3
watch sees it: yes
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:…  N s                 0
=> 0
watch goes on at the new master: yes
SKU0001 was taken from rl:…
=> 0
released there: yes
