--TEST--
A sentinel that is cut off still names the old master, which still takes writes: the later master is asked, whoever answers first
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
$old = $set->master();
$set->cuts[0]->servers(); // clients still reach it
$stranger = $set->stranger($set->portOf($old));
$new = $set->awaitPromotion($old);
is_so('all others know', wait_until(fn () => array_filter($set->sentinels, fn ($sentinel) => $sentinel->named() !== $set->portOf($new)) === []));
is_so('the old one is master for itself, and for that sentinel', $old->client()->cmd('ROLE')[0] === 'master' && $stranger->named() === $set->portOf($old));
$orders = [[$stranger, $set->sentinels[1], $set->sentinels[2]], [$set->sentinels[0], $set->sentinels[1], $stranger], [$stranger, $set->sentinels[0]]];
foreach ($orders as $sentinels) {
    for ($i = 0; $i < 20; $i++) {
        $lock = new RedisLock($set->dsn(sentinels: $sentinels), ['connect_timeout' => 10.0, 'persistent' => false] + $set->options);
        if (!$lock->lock("x$i") || $new->client()->cmd('EXISTS', "lock:x$i") !== 1) {
            echo "NOT AT THE NEW MASTER\n";
        }
        $lock->unlock("x$i");
    }
}
// Not for sure: sentinels that say nothing for half of the time are not waited for, see below.
is_so('the old master got nothing', all_keys($old->client()) === [], all_keys($old->client()));

// It is the only one that answers: by half of the time its word counts.
array_map(fn ($sentinel) => $sentinel->pause(), $set->sentinels);
$lock = new RedisLock($set->dsn(sentinels: [$stranger, $set->sentinels[0], $set->sentinels[1]]), ['connect_timeout' => 0.6, 'persistent' => false] + $set->options);
$start = now();
var_dump($lock->lock('alone'), $old->client()->cmd('EXISTS', 'lock:alone'));
took_between('seconds', now() - $start, 0.25, 0.4);
?>
--EXPECT--
all others know: yes
the old one is master for itself, and for that sentinel: yes
the old master got nothing: yes
bool(true)
int(1)
seconds: yes
