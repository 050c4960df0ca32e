<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

/** And an application does the same with it. */
final class HeldLockTest extends LockTest
{
    use HeldLocks;
}
