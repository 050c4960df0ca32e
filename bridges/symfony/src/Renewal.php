<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use RedisLock;

/**
 * The lock of a Key whose lease is renewed: the RedisLock holds it until this object goes away, with the Key. The lock is
 * not released then, but is the Key's alone, and ends with its lease.
 *
 * @internal
 */
final class Renewal
{
    public function __construct(
        private readonly RedisLock $lock,
        private readonly string $name,
        #[\SensitiveParameter] private readonly string $token,
    ) {
    }

    public function __destruct()
    {
        if ($this->lock->token($this->name) === $this->token) { // else another Key has taken it meanwhile
            $this->lock->detach($this->name);
        }
    }

    /** The token stays out of dumps. */
    public function __debugInfo(): array
    {
        return ['name' => $this->name];
    }
}
