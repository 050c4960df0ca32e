<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use RedisLock;
use Redislock\Symfony\RedisLockStore;

/** Has a test case use stores whose RedisLock holds the locks, as that of a DSN does. */
trait HeldLocks
{
    protected function store(float $initialTtl = 300.0, float $timeout = INF, array $options = []): RedisLockStore
    {
        $lock = new RedisLock(self::$server->dsn(), ['auto_release' => false] + $options);

        return new RedisLockStore($lock, $initialTtl, $timeout, holds: true);
    }
}
