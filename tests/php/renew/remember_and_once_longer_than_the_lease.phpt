--TEST--
remember() keeps a value, and once() returns one, whose building took longer than a lease that is renewed
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'renew' => true]);
$built = 0;
$build = function () use (&$built) {
    usleep((int) lease(1_300_000));
    return ++$built;
};
var_dump($lock->remember('r', $build, 60), $lock->remember('r', $build, 60));
var_dump($lock->once('o', fn () => null, $build));
echo implode(' ', $redis->cmd('KEYS', 'lock:?')), "\n";
is_so('nothing more is sent', is_quiet($redis, lease(0.4)));

$lock = new RedisLock($server->dsn(), ['expire' => 0.6]);
thrown(fn () => $lock->once('o', fn () => null, $build));
?>
--EXPECTF--
int(1)
int(1)
int(2)

nothing more is sent: yes
RedisLockLostException: unix://%s: the lock was lost before the section was over: the section took %f s, the lease was 0.6 s (lock "o")
