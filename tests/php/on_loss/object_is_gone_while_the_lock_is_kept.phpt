--TEST--
auto_release request: when the object is gone and the lock stays, nothing is told of that
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
$told = 0;
foreach ([true, false] as $renew) {
    foreach (['throw', function () use (&$told) {
        $told++;
    }] as $on_loss) {
        $lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => $renew, 'auto_release' => 'request', 'on_loss' => $on_loss]);
        $lock->lock('x');
        unset($lock);
        is_so('the lock stays', $redis->cmd('EXISTS', 'lock:x') === 1);
        take_away($redis, 'x');
        thrown(fn () => compute(lease(1.2)));
    }
}
var_dump($told);
?>
--EXPECT--
the lock stays: yes
nothing thrown, returned 'computed to the end'
the lock stays: yes
nothing thrown, returned 'computed to the end'
the lock stays: yes
nothing thrown, returned 'computed to the end'
the lock stays: yes
nothing thrown, returned 'computed to the end'
int(0)
