--TEST--
redislock follows a lock to where its slot moves, and a cluster through a failover
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

$cluster = Cluster::start(nodeTimeout: SOON_FAILED);
$lock = new RedisLock($cluster->dsn(), ['auto_release' => false]);
$from = $cluster->ownerOf('lock:SKU0001');
$to = $cluster->others($from)[0];
$lock->lock('SKU0001', 0, 3600);
$lock->lock('other {SKU0001}', 0, 3600);

/** What is asked of this node alone: names, or the exit status. */
function names(?RedisServer $seed = null): string
{
    global $cluster;
    $run = cli(['--server=' . $cluster->dsn(seeds: $seed ? [$seed] : null), 'ls', '--json']);
    return implode(', ', array_column($run->json(), 'name')) . $run->err;
}
function status(string ...$args): int
{
    global $cluster;
    return cli(['--server=' . $cluster->dsn(), ...$args])->status;
}

/** `watch`, which asks on. */
$watch = new Child([...php_command(), dirname(__DIR__, 3) . '/bin/redislock', '--server=' . $cluster->dsn(), 'watch', '--json', '--interval=0.2', '--count=100000'], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]]);
function watches(string $label, string ...$names): void
{
    global $watch;
    $until = microtime(true) + 30;
    do {
        $line = (string) fgets($watch->pipes[1]);
        $seen = json_decode($line, true);
        $good = $seen !== null && array_column($seen['locks'], 'name') === $names && !isset($seen['missing']);
    } while (!$good && $line !== '' && microtime(true) < $until);
    is_so($label, $good, $line);
}

watches('watch sees them', 'SKU0001', 'other {SKU0001}');
$cluster->beginMigration('lock:SKU0001', $to);
echo 'the slot is open: ', names(), ' ', status('show', 'SKU0001'), "\n";
$cluster->migrateKeys('lock:SKU0001', $from, $to, keys: ['lock:SKU0001']);
echo 'a key is there, another is not: ', names(), ' ', status('show', 'SKU0001'), "\n";
echo 'released there: ', status('release', '--force', 'SKU0001'), ' ', status('show', 'SKU0001'), "\n";
$cluster->migrateKeys('lock:SKU0001', $from, $to);
$cluster->endMigration('lock:SKU0001', $from, $to);
echo 'it has moved: ', names($from), "\n";
watches('watch goes on', 'other {SKU0001}');

(new RedisLock($cluster->dsn(), ['auto_release' => false]))->lock('SKU0001', 0, 3600);
$cluster->awaitReplicated($to);
$to->pause();
$new = $cluster->awaitPromotion($to);
$lock->lock('after {SKU0001}', 20, 3600);
watches('watch goes on at the new master', 'SKU0001', 'after {SKU0001}', 'other {SKU0001}');
echo 'after the failover: ', names($new), "\n";
is_so('the first node that is named may say nothing', cli(['--server=' . $cluster->dsn(seeds: [$to, $new]), 'ls'])->status === 0);
$watch->kill();
$to->resume();
?>
--EXPECT--
watch sees them: yes
the slot is open: SKU0001, other {SKU0001} 0
a key is there, another is not: SKU0001, other {SKU0001} 0
released there: 0 1
it has moved: other {SKU0001}
watch goes on: yes
watch goes on at the new master: yes
after the failover: SKU0001, after {SKU0001}, other {SKU0001}
the first node that is named may say nothing: yes
