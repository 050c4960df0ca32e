<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use RedisLock;

/** Notes the methods that tell an owner token, or are told one. */
final class ObservedRedisLock extends RedisLock
{
    /** @var list<string> */
    public array $shown = [];

    public function lock(
        string $name,
        ?float $timeout = null,
        ?float $expire = null,
        ?string $token = null,
        ?bool $renew = null,
    ): bool {
        $this->note(__FUNCTION__, $token);

        return parent::lock($name, $timeout, $expire, $token, $renew);
    }

    public function unlock(string $name, ?string $token = null): bool
    {
        $this->note(__FUNCTION__, $token);

        return parent::unlock($name, $token);
    }

    public function expire(string $name, ?float $expire = null, ?string $token = null): bool
    {
        $this->note(__FUNCTION__, $token);

        return parent::expire($name, $expire, $token);
    }

    public function owner(string $name): ?string
    {
        return $this->note(__FUNCTION__, parent::owner($name));
    }

    public function token(string $name): ?string
    {
        return $this->note(__FUNCTION__, parent::token($name));
    }

    public function detach(string $name): ?string
    {
        return $this->note(__FUNCTION__, parent::detach($name));
    }

    private function note(string $method, ?string $token): ?string
    {
        if ($token !== null) {
            $this->shown[] = $method;
        }

        return $token;
    }
}
