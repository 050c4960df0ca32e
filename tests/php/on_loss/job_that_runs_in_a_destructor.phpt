--TEST--
A job that runs in a destructor, as one that Laravel dispatches at once: a section is broken off there; a lock of lock() is told after the destructor
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

/** As Laravel's PendingDispatch does with the connection `sync`: the job runs when the object that dispatch() returned is gone. */
final class PendingDispatch
{
    public function __construct(private object $job)
    {
    }

    public function delay(int $seconds): static
    {
        return $this;
    }

    public function __destruct()
    {
        $pipeline = array_reduce([1, 2], fn ($next, $n) => fn ($job) => $next($job), fn ($job) => call_user_func([$job, 'handle']));
        $pipeline($this->job);
    }
}

abstract class Job
{
    public static function dispatch(...$arguments): PendingDispatch
    {
        return new PendingDispatch(new static(...$arguments));
    }

    public function __construct(protected RedisLock $lock, protected RawClient $redis)
    {
    }

    protected function pay(string $name): string
    {
        try {
            take_away($this->redis, $name);
            $done = compute_until(fn () => $this->lock->lost($name)) ? compute(0.3) : 'not lost';
            $this->lock->ensure($name);
            return $done;
        } finally {
            echo "rolled back\n";
        }
    }
}

final class WithSection extends Job
{
    public function handle(): void
    {
        $this->lock->synchronized('x', fn () => $this->pay('x'));
        echo "NOT BROKEN OFF\n";
    }
}

final class WithLock extends Job
{
    public function handle(): void
    {
        $this->lock->lock('x');
        try {
            $this->pay('x');
        } catch (RedisLockLostException $e) {
            echo 'line by ensure(): ', $e->getTrace()[0]['function'], "\n";
        } finally {
            $this->lock->unlock('x');
        }
    }
}

final class LeavesItsLock extends Job
{
    public function handle(): void
    {
        $this->lock->lock('x');
        take_away($this->redis, 'x');
        compute_until(fn () => $this->lock->lost('x'));
        echo compute(0.2), "\n";
    }
}

$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);
foreach ([WithSection::class, WithLock::class, LeavesItsLock::class] as $job) {
    echo "-- $job\n";
    for ($i = 0; $i < 2; $i++) {
        thrown(function () use ($job, $lock, $redis) {
            $job::dispatch($lock, $redis)->delay(0);
            return compute(0.2);
        });
        $lock->unlockAll();
    }
}

echo "-- a function is called by the same rule\n";
$told = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function (string $name) { echo "told of $name\n"; }]);
foreach ([WithSection::class, LeavesItsLock::class] as $job) {
    thrown(function () use ($job, $told, $redis) {
        $job::dispatch($told, $redis);
        return compute(0.2);
    });
    $told->unlockAll();
}
?>
--EXPECTF--
-- WithSection
rolled back
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
rolled back
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- WithLock
rolled back
line by ensure(): ensure
nothing thrown, returned 'computed to the end'
rolled back
line by ensure(): ensure
nothing thrown, returned 'computed to the end'
-- LeavesItsLock
computed to the end
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
computed to the end
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
-- a function is called by the same rule
told of x
rolled back
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
computed to the end
told of x
nothing thrown, returned 'computed to the end'
