--TEST--
Fences where the nodes' clocks are 10 s apart: they grow wherever the last fence came along, and go back where it was lost and the clock is behind
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../inc/clock.inc';
skip_without_clocks();
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/clock.inc';

/** The fence of a lock that is free by then. */
function next_fence(RedisLock $lock, string $name): int
{
    $lock->lock($name, 5.0) || throw new RuntimeException("$name is not free");
    $fence = $lock->fence($name);
    $lock->unlock($name);
    return $fence;
}

servers_have_clocks();
$cluster = Cluster::start();
$lock = new RedisLock($cluster->dsn(), ['fencing' => true]);
[$first, $second, $third] = $cluster->masters();

// The node that takes over is behind, and has the last fence.
[$replica] = $cluster->replicasOf($first);
$replica->setClock(-10);
$name = $cluster->nameOn($first);
$fences = [next_fence($lock, $name)];
$cluster->failover($replica);
$fences[] = next_fence($lock, $name);
$fences[] = next_fence($lock, $name);
is_so('behind, with the last fence: one more each time', $fences === range($fences[0], $fences[0] + 2), $fences);

// It would have lost it, had it been promoted before it came: then a fence is the time of the new master.
$replica->client()->cmd('DEL', "{lock:$name}:rl:fence");
$lost = next_fence($lock, $name);
is_between('behind, without it: the fence is less, by the clock', $fences[0] - $lost, 1, 10_000_000);
is_so('and grows from there', next_fence($lock, $name) > $lost);

// The node that takes over is ahead; then the old one is the master again.
[$replica] = $cluster->replicasOf($second);
$replica->setClock(10);
$name = $cluster->nameOn($second);
$before = next_fence($lock, $name);
$cluster->failover($replica);
$ahead = next_fence($lock, $name);
is_so('ahead: greater, by the clock', $ahead - $before > 10_000_000, $ahead - $before);
$cluster->failover($second);
is_so('back at the old one: one more', next_fence($lock, $name) === $ahead + 1);

// A fence moves with its slot.
$third->setClock(-10);
$name = $cluster->nameOn($second, 'y');
$before = next_fence($lock, $name);
$cluster->migrate("lock:$name", $third);
is_so('a slot has moved to a node behind: one more', next_fence($lock, $name) === $before + 1);
is_so('and it was asked there', $cluster->ownerOf("lock:$name") === $third && $third->client()->cmd('EXISTS', "{lock:$name}:rl:fence") === 1);
?>
--EXPECT--
behind, with the last fence: one more each time: yes
behind, without it: the fence is less, by the clock: yes
and grows from there: yes
ahead: greater, by the clock: yes
back at the old one: one more: yes
a slot has moved to a node behind: one more: yes
and it was asked there: yes
