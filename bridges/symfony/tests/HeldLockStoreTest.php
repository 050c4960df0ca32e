<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

/** What a store promises, it promises as well where the RedisLock holds the locks. */
final class HeldLockStoreTest extends RedisLockStoreTest
{
    use HeldLocks;
}
