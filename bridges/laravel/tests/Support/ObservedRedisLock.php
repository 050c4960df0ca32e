<?php

namespace Redislock\Laravel\Tests\Support;

use RedisLock;

/** Notes the methods that tell an owner token, or are told one. */
class ObservedRedisLock extends RedisLock
{
    /** @var list<string> */
    public static array $shown = [];

    public function lock(
        string $name,
        ?float $timeout = null,
        ?float $expire = null,
        ?string $token = null,
        ?bool $renew = null,
    ): bool {
        self::note(__FUNCTION__, $token);

        return parent::lock($name, $timeout, $expire, $token, $renew);
    }

    public function unlock(string $name, ?string $token = null): bool
    {
        self::note(__FUNCTION__, $token);

        return parent::unlock($name, $token);
    }

    public function expire(string $name, ?float $expire = null, ?string $token = null): bool
    {
        self::note(__FUNCTION__, $token);

        return parent::expire($name, $expire, $token);
    }

    public function attach(string $name, string $token, ?bool $renew = null): bool
    {
        self::note(__FUNCTION__, $token);

        return parent::attach($name, $token, $renew);
    }

    public function token(string $name): ?string
    {
        $token = parent::token($name);
        self::note(__FUNCTION__, $token);

        return $token;
    }

    public function detach(string $name): ?string
    {
        $token = parent::detach($name);
        self::note(__FUNCTION__, $token);

        return $token;
    }

    private static function note(string $method, ?string $token): void
    {
        if ($token !== null) {
            self::$shown[] = $method;
        }
    }
}
