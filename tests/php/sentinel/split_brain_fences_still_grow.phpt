--TEST--
Two hold at once, since the old master is cut off and grants what the new one has granted: the later fence is the greater, whichever granted it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(downAfter: SOON_DOWN, cuttable: true);
$options = ['fencing' => true, 'expire' => 30.0] + $set->options;
$old = $set->master();
$near = $set->stranger($set->portOf($old)); // all that the one inside asks, and cut off with it
$inside = new RedisLock($set->dsn(sentinels: [$near]), $options);
$inside->lock('x');
$fences = [$inside->fence('x')];
$inside->unlock('x');
await_replicated($set);
$set->cuts[0]->servers();
$near->kill();
$new = $set->awaitPromotion($old);

// A resource refuses a fence below the greatest that it has seen.
$written = [];
$write = function (int $fence) use (&$written): string {
    $refused = $written && $fence < max($written);
    $written[] = $fence;
    return $refused ? 'refused' : 'written';
};
$outside = new RedisLock($set->dsn(), ['persistent' => false] + $options);
var_dump($inside->lock('x'), $outside->lock('x'));
is_so('each has it from another master', $old->client()->cmd('GET', 'lock:x') === $inside->token('x') && $new->client()->cmd('GET', 'lock:x') === $outside->token('x'));
array_push($fences, $inside->fence('x'), $outside->fence('x'));
echo 'the one outside ', $write($outside->fence('x')), ', then the one inside ', $write($inside->fence('x')), "\n";
var_dump($inside->unlock('x'), $inside->lock('x')); // the old one grants the later lease now
$fences[] = $inside->fence('x');
echo 'the one inside ', $write($inside->fence('x')), ', then the one outside ', $write($outside->fence('x')), "\n";
is_safe('each fence is greater than those granted before', array_values(array_unique($fences)) === $fences && $fences === (fn ($sorted) => sort($sorted) ? $sorted : [])($fences), $fences);

// Mended, the old master is a replica: what it granted is gone, and the next fence is greater than all.
$set->cuts[0]->mend();
$set->awaitReplica($old);
$outside->unlock('x');
var_dump($had = $outside->lock('x', 5.0));
is_safe_if($had, 'the next fence is greater than all', $outside->fence('x') > max($fences), [$outside->fence('x'), $fences]);
?>
--EXPECT--
bool(true)
bool(true)
each has it from another master: yes
the one outside written, then the one inside refused
bool(true)
bool(true)
the one inside written, then the one outside refused
each fence is greater than those granted before: yes
bool(true)
the next fence is greater than all: yes
