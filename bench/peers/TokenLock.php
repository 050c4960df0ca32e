<?php
declare(strict_types=1);

namespace Bench\Peers;

/**
 * Row B of the hand-written classes that go round: a subclass of phpredis' client that tries again without a pause.
 * Written anew, with its requests and its faults kept: SETNX and EXPIRE apart, a release that is not atomic.
 */
final class TokenLock extends \Redis
{
    private const PREFIX = 'TEST_LOCK';

    /** @return string|false the identifier; $timeout is the longest wait and the lease, in s */
    public function take(string $name, int $timeout = 5): string|false
    {
        $id = uniqid();
        $key = self::PREFIX . $name;
        $end = time() + $timeout;
        while (time() < $end) {
            if ($this->setnx($key, $id)) {
                $this->expire($key, $timeout);
                return $id;
            }
            if ($this->ttl($key) === -1) {
                $this->expire($key, $timeout);
            }
            usleep(0); // it says usleep(0.001), which is this
        }
        return false;
    }

    public function release(string $name, string $id): bool
    {
        $key = self::PREFIX . $name;
        if ($this->get($key) == $id) {
            $this->multi();
            $this->del($key);
            $this->exec();
            return true;
        }
        return false;
    }
}
