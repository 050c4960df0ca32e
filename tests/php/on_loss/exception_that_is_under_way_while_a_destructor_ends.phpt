--TEST--
A loss that arises in the very moment in which a destructor ends, while another exception is on its way up: that one arrives
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

class Cleaner
{
    public function __construct(private RedisLock $lock, private RawClient $redis)
    {
    }

    public function __destruct()
    {
        take_away($this->redis, 'x');
        compute_until(fn () => $this->lock->lost('x'));
        compute(0.1);
        $big = array_map(fn ($i) => [$i], range(1, 500000));
        echo "the destructor is over\n";
    }
}

function fail(RedisLock $lock, RawClient $redis): void
{
    $cleaner = new Cleaner($lock, $redis);
    throw new LogicException('the first');
}

$loss = thrown(function () use ($lock, $redis, &$first) {
    $lock->lock('x');
    try {
        fail($lock, $redis);
    } catch (LogicException $first) {
        compute(LONG);
    }
});
echo $first->getMessage(), "\n";
var_dump($loss->getPrevious());
unset($first, $loss);
gc_collect_cycles(); // the trace of the first refers to the function that has caught it
?>
--EXPECTF--
the destructor is over
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
the first
NULL
