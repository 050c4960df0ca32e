<?php
declare(strict_types=1);

namespace Bench\Peers;

/**
 * Row A of the hand-written classes that go round, over phpredis: one id for all locks of a process, polled every 200 ms
 * for at most 10 s. Written anew, with what it sends kept as it is.
 */
final class RequestIdLock
{
    public const BLOCKED = 1;

    private const LEASE = 30000; // ms
    private const FREQUENCY = 200000; // µs
    private const WAIT_TIME = 10.0; // s

    private static ?string $id = null;

    public function __construct(private readonly \Redis $redis)
    {
        self::$id ??= uniqid() . getmypid();
    }

    public function lock(string $name, int $policy = 0): bool
    {
        $end = microtime(true) + self::WAIT_TIME;
        for (;;) {
            if ($this->redis->set($name, self::$id, ['nx', 'px' => self::LEASE])) {
                return true;
            }
            if ($policy !== self::BLOCKED || microtime(true) >= $end) {
                return false;
            }
            usleep(self::FREQUENCY);
        }
    }

    public function unlock(string $name): bool
    {
        $script = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
        return $this->redis->eval($script, [$name, self::$id], 1) > 0;
    }
}
