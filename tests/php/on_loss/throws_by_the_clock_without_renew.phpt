--TEST--
on_loss throw without renew: the exception comes when a sixth of the lease is left, and unlock() still releases the lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(2.4), 'on_loss' => 'throw']);
$start = hrtime(true);
try {
    $lock->lock('x');
    compute(LONG);
} catch (RedisLockLostException $e) {
    $left = $lock->remaining('x');
    $lost = $lock->lost('x');
    $released = $lock->unlock('x');
}
took_between('seconds until then', (hrtime(true) - $start) / 1e9, lease(1.95), lease(2.4));
is_so('something of the lease was left', $left > 0 && $left <= lease(0.4), $left);
var_dump($lost, $released);
echo $e->getMessage(), "\n";
print_r(all_keys($redis));
?>
--EXPECTF--
seconds until then: yes
something of the lease was left: yes
bool(false)
bool(true)
unix://%s: only %s of the lease are left (lock "x")
Array
(
)
