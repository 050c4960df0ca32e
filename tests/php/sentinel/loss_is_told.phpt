--TEST--
A holder that came by way of sentinels is told of a loss while it computes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('it computes against the clock');
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

require __DIR__ . '/../on_loss/on_loss.inc';

$set = SentinelSet::start();
$lock = new RedisLock($set->dsn(), ['expire' => 3.0, 'renew' => true, 'on_loss' => 'throw'] + $set->options);
$lock->lock('x');
take_away($set->master()->client(), 'x');
$start = now();
try {
    compute(LONG);
    echo "NOT TOLD\n";
} catch (RedisLockLostException $e) {
    echo get_class($e), ' ', $e->lockName, "\n";
}
took_between('seconds until then', now() - $start, 0, 3.0);
var_dump($lock->lost('x'));
?>
--EXPECT--
RedisLockLostException x
seconds until then: yes
bool(true)
