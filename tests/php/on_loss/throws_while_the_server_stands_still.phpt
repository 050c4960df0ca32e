--TEST--
on_loss throw: a server that answers nothing is an exception while some of the lease is left
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(3), 'renew' => true, 'on_loss' => 'throw']);
try {
    $lock->lock('x');
    $server->pause();
    compute(LONG);
} catch (RedisLockLostException $e) {
    $left = $lock->remaining('x');
    $lost = $lock->lost('x');
    $server->resume();
    $released = $lock->unlock('x');
}
is_so('something of the lease was left', $left > 0 && $left <= lease(0.5), $left);
var_dump($lost, $released);
echo $e->getMessage(), "\n";
?>
--EXPECTF--
something of the lease was left: yes
bool(false)
bool(true)
unix://%s: only %s of the lease are left, and it could not be renewed (lock "x")
