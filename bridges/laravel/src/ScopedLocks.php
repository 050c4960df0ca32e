<?php

namespace Redislock\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Redislock\Laravel\Connections\LockServers;

/**
 * The RedisLock of a request or job: one for each place that the configuration leads to meanwhile. What is locked in one
 * place stays so when the application goes on to the next tenant, until the request or job ends.
 */
final class ScopedLocks
{
    /** @var list<array{array<mixed>, GuardedRedisLock}> what it was made from, and it */
    private array $locks = [];

    public function __construct(private readonly Application $app, private readonly LockServers $servers)
    {
    }

    public function current(): GuardedRedisLock
    {
        $server = $this->servers->default();
        $arguments = $server->arguments($this->servers->defaultOptions($server));
        foreach ($this->locks as [$known, $lock]) {
            if ($known === $arguments) {
                return $lock;
            }
        }
        $this->servers->warnOfUnknown($server);
        $this->locks = array_filter($this->locks, fn (array $made) => $made[1]->held() !== []);
        $lock = new GuardedRedisLock(...$arguments, guard: (new TransactionGuard($this->app))(...));
        $this->locks[] = [$arguments, $lock];

        return $lock;
    }

    /** The logins stay out of dumps. */
    public function __debugInfo(): array
    {
        return ['locks' => array_column($this->locks, 1)];
    }
}
