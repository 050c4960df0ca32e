--TEST--
on_loss throw: a renewed lock that is taken away is an exception in the code that runs, within a third of the lease
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.5), 'renew' => true, 'on_loss' => 'throw']);
$e = thrown(function () use ($lock, $redis, &$start) {
    $lock->lock('x');
    $start = hrtime(true);
    take_away($redis, 'x');
    compute(LONG);
});
took_between('seconds until then', (hrtime(true) - $start) / 1e9, 0, lease(0.7));
var_dump($e->lockName, $e->server !== '', $e->result, $e->getPrevious());
var_dump($lock->lost('x'), $lock->remaining('x'), $lock->unlock('x'));
?>
--EXPECTF--
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
seconds until then: yes
string(1) "x"
bool(true)
NULL
NULL
bool(true)
float(0)
bool(false)
