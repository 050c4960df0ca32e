--TEST--
max_hold with on_loss throw: first the warning, then, when the margin of the lease is left, the exception
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
set_error_handler(function (int $type, string $text) use (&$lock) {
    echo "$text\n";
    is_so('at the warning, the lock is held', $lock->remaining('x') > 0);
    return true;
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(2.4), 'renew' => true, 'max_hold' => lease(0.6), 'on_loss' => 'throw']);
try {
    $lock->lock('x');
    compute(LONG);
} catch (RedisLockLostException $e) {
    $left = $lock->remaining('x');
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
is_so('at the exception, something of it is left', $left > 0 && $left <= lease(0.4), $left);
var_dump($lock->unlock('x'));
thrown(fn () => compute(0.2));
?>
--EXPECTF--
RedisLock: unix://%s: the lock has been held for longer than max_hold (%s); its lease is no longer renewed (lock "x")
at the warning, the lock is held: yes
RedisLockLostException: unix://%s: only %s of the lease are left%S (lock "x")
at the exception, something of it is left: yes
bool(true)
nothing thrown, returned 'computed to the end'
