--TEST--
A lock that is taken within a finally or a destructor is told of there
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

function lose(RedisLock $lock, RawClient $redis): string
{
    $lock->lock('x');
    take_away($redis, 'x');
    return compute(LONG);
}

class Late
{
    public function __construct(private Closure $act)
    {
    }

    public function __destruct()
    {
        thrown($this->act);
        echo "the destructor goes on\n";
    }
}

$act = fn () => lose($lock, $redis);
try {
    echo "before\n";
} finally {
    thrown($act);
    echo "the finally goes on\n";
}
$lock->unlock('x');
$late = new Late($act);
unset($late);
?>
--EXPECTF--
before
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the finally goes on
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the destructor goes on
