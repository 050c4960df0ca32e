--TEST--
While a slot moves, and stays half-way, its locks are taken, renewed and released; who waits gets them
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(2, 0);
$name = $cluster->nameOn($from = $cluster->nodes[0]);
$to = $cluster->others($from)[0];
$lock = new RedisLock($cluster->dsn(), ['expire' => 1.0, 'connect_timeout' => 0.5, 'read_timeout' => 0.5]);
$other = new RedisLock($cluster->dsn());

function show(string $label, bool ...$answers): void
{
    echo "$label: ", implode(', ', array_map(fn ($answer) => $answer ? 'yes' : 'no', $answers)), "\n";
}

/** Takes the lock, keeps it for three leases, and gives it back. */
function hold(string $name, RedisLock $lock, RedisLock $other): void
{
    show('  taken', $lock->lock($name, 0, renew: true));
    $kept = true;
    $had_by_two = false;
    for ($until = microtime(true) + 3; $kept && microtime(true) < $until; usleep(50_000)) {
        $now = hrtime(true);
        $believed = $now + 1e9 * $lock->remaining($name);
        $taken = $other->lock($name, 0);
        $had_by_two = $taken && hrtime(true) < $believed;
        $kept = !$taken && $lock->isLocking($name);
    }
    is_so('  kept for three leases', $kept);
    is_safe('  and never had by two', !$had_by_two);
    show('  another takes it', $other->lock($name, 0.3));
    $start = microtime(true);
    show('  released, another takes it', $lock->unlock($name), $other->lock($name, 0));
    took_between('  that took a moment', microtime(true) - $start, 0.0, 0.2);
    $other->unlock($name);
}

echo "a slot that was just opened\n";
$cluster->beginMigration("lock:$name", $to);
hold($name, $lock, $other);

echo "a lock that stayed where it was\n";
$cluster->cancelMigration("lock:$name", $from, $to);
$lock->lock($name, 0, 10);
$cluster->beginMigration("lock:$name", $to);
try {
    $lock->expire($name, 0.5);
    echo "  SHORTER\n";
} catch (RedisLockServerException $e) {
    echo "  not shorter: $e->redisError\n";
}
show('  longer, released', $lock->expire($name, 20), $lock->unlock($name));

echo "a lock that has gone ahead\n";
$cluster->cancelMigration("lock:$name", $from, $to);
$lock->lock($name, 0, 10);
$cluster->beginMigration("lock:$name", $to);
$cluster->migrateKeys("lock:$name", $from, $to);
show('  another takes it, longer, released, another takes it', $other->lock($name, 0.2), $lock->expire($name, 20), $lock->unlock($name), $other->lock($name));
$cluster->migrateKeys("lock:$name", $from, $to);
$cluster->endMigration("lock:$name", $from, $to);
echo "the slot has arrived\n";
show('  another takes it, released', $lock->lock($name, 0), $other->unlock($name));
?>
--EXPECT--
a slot that was just opened
  taken: yes
  kept for three leases: yes
  and never had by two: yes
  another takes it: no
  released, another takes it: yes, yes
  that took a moment: yes
a lock that stayed where it was
  not shorter: TRYAGAIN
  longer, released: yes, yes
a lock that has gone ahead
  another takes it, longer, released, another takes it: no, yes, yes, yes
the slot has arrived
  another takes it, released: no, yes
