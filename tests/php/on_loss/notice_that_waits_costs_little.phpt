--TEST--
A notice that has to wait for the end of a long finally is tried again less and less often, and comes soon after the end
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../renew/renew.inc';
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

/** How often the other threads have gone to sleep: each try wakes the renewing thread once. */
function sleeps(): int
{
    $sleeps = 0;
    foreach (glob('/proc/self/task/*/status') as $file) {
        if (basename(dirname($file)) !== (string) getmypid() && preg_match('/^voluntary_ctxt_switches:\s+(\d+)/m', file_get_contents($file), $found)) {
            $sleeps += (int) $found[1];
        }
    }
    return $sleeps;
}

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.3), 'on_loss' => 'throw']);
thrown(function () use ($lock, &$before, &$after, &$end) {
    $lock->lock('x');
    try {
        compute(0.01);
    } finally {
        compute_until(fn () => $lock->lost('x'));
        $before = sleeps();
        compute(3.0);
        $after = sleeps();
        $end = hrtime(true);
    }
    return compute(LONG);
});
took_between('seconds since then', (hrtime(true) - $end) / 1e9, 0, 0.3);
is_between('tries in 3 s', $after - $before, 20, 300);
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
seconds since then: yes
tries in 3 s: yes
