--TEST--
Fifty masters: connections are kept to all of them, those of waits too; lockAll() is all or none, and the command sees all
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('fifty servers');
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../cli/cli.inc';

const MASTERS = 50;

$cluster = Cluster::start(masters: MASTERS, replicas: 0, config: ['maxmemory 8mb', 'maxmemory-policy noeviction', 'save ""']);
$clients = array_map(fn ($node) => $node->client(), $cluster->nodes);
$connected = fn () => array_sum(array_map(fn ($redis) => (int) server_info($redis, 'stats')['total_connections_received'], $clients));
$dsn = $cluster->dsn(seeds: array_slice($cluster->nodes, 0, 3));
$lock = new RedisLock($dsn);
$holder = new RedisLock($dsn, ['persistent' => false]);

// A lock and a wait at each of them, and again.
$lease = is_busy() ? 0.2 : 0.03;
$names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->nodes);
for ($round = 1; $round <= 3; $round++) {
    $before = $connected();
    foreach ($names as $name) {
        if (!$lock->lock($name) || !$lock->unlock($name) || !$holder->lock($name, 0.0, $lease) || !$lock->lock($name, 10.0) || !$lock->unlock($name)) {
            echo "$name: not had\n";
        }
    }
    $new = $connected() - $before;
    echo $round === 1 ? '' : "round $round: $new new connections\n";
}

// Two hundred names, and one of them is held.
$many = array_map(fn ($i) => "SKU$i", range(1, 200));
is_so('all', $lock->lockAll($many, 10.0, 60.0));
$other = new RedisLock($dsn);
$taken = array_filter($many, fn ($name) => $other->lock($name));
is_safe_if(array_filter($taken, fn ($name) => $lock->remaining($name) > 0) !== [], 'each is held', $taken === [], $taken);
$masters = array_filter($clients, fn ($redis) => $redis->cmd('DBSIZE') > 0);
is_between('masters that have some', count($masters), MASTERS * 0.8, MASTERS);
$run = cli(['--server', $dsn, '--prefix', 'lock:', 'ls']);
is_so('ls shows them', $run->status === 0 && array_diff($many, array_map(fn ($line) => strtok($line, ' '), explode("\n", $run->out))) === [], $run->err);
$run = cli(['--server', $dsn, 'ping']);
is_so('ping asks all', str_contains($run->out, sprintf('nodes    %d masters, 0 replicas; %1$d of %1$d answer', MASTERS)), "$run->out$run->err");
is_so('released', $lock->unlockAll());
is_so('one is held', $holder->lock('SKU150', 0.0, 60.0));
is_so('none', !$lock->lockAll($many) && array_sum(array_map(fn ($redis) => count(preg_grep('/:rl:/', all_keys($redis), PREG_GREP_INVERT)), $clients)) === 1);

// Renewed at all of them.
$renewing = new RedisLock($dsn, ['renew' => true]);
is_so('taken for two seconds', $renewing->lockAll($names, 10.0, 2.0));
usleep(5000000);
is_so('and kept', array_filter($names, fn ($name) => !$renewing->isLocking($name)) === [] && $renewing->unlockAll());
?>
--EXPECT--
round 2: 0 new connections
round 3: 0 new connections
all: yes
each is held: yes
masters that have some: yes
ls shows them: yes
ping asks all: yes
released: yes
one is held: yes
none: yes
taken for two seconds: yes
and kept: yes
