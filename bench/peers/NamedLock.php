<?php
declare(strict_types=1);

namespace Bench\Peers;

/**
 * Row D of the hand-written classes that go round, over phpredis: locks by name, polled every 100 ms. Written anew, with
 * its requests and its faults kept: an absolute time where EXPIRE wants a duration, a comparison that assigns.
 */
final class NamedLock
{
    /** @var array<string, int> name => the second at which it ends */
    private array $locked = [];

    public function __construct(private readonly \Redis $redis)
    {
    }

    public function lock(?string $name, int $timeout = 0, int $expire = 15, int $waitIntervalUs = 100000): bool
    {
        if ($name === null) {
            return false;
        }
        $now = time();
        $timeoutAt = $now + $timeout;
        $expireAt = $now + $expire;
        $key = "Lock:$name";
        for (;;) {
            if ($this->redis->setnx($key, (string) $expireAt)) {
                $this->redis->expire($key, $expireAt);
                $this->locked[$name] = $expireAt;
                return true;
            }
            if ($this->redis->ttl($key) < 0) {
                $this->redis->set($key, (string) $expireAt);
                $this->locked[$name] = $expireAt;
                return true;
            }
            if ($timeout <= 0 || $timeoutAt < microtime(true)) {
                return false;
            }
            usleep($waitIntervalUs);
        }
    }

    public function unlock(string $name): bool
    {
        if ($this->isLocking($name) && $this->redis->del("Lock:$name")) {
            unset($this->locked[$name]);
            return true;
        }
        return false;
    }

    public function unlockAll(): bool
    {
        $all = true;
        foreach (array_keys($this->locked) as $name) {
            $all = $this->unlock((string) $name) && $all;
        }
        return $all;
    }

    public function isLocking(string $name): bool
    {
        if (!isset($this->locked[$name])) {
            return false;
        }
        return (bool) ($this->locked[$name] = (int) $this->redis->get("Lock:$name"));
    }
}
