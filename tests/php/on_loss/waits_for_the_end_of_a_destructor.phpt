--TEST--
on_loss throw: a destructor that runs is not broken off; the exception comes soon after its end
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

class Cleaner
{
    public function __construct(private RedisLock $lock)
    {
    }

    public function __destruct()
    {
        compute_until(fn () => $this->lock->lost('x'));
        compute(0.3);
        echo "the destructor is over\n";
        $GLOBALS['end'] = hrtime(true);
    }
}

thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    $cleaner = new Cleaner($lock);
    take_away($redis, 'x');
    unset($cleaner);
    return compute(LONG);
});
took_between('seconds since then', (hrtime(true) - $end) / 1e9, 0, 0.2);
?>
--EXPECTF--
the destructor is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
seconds since then: yes
