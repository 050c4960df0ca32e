<?php

namespace Redislock\Laravel;

use Closure;
use RedisLock;
use SensitiveParameter;

/** The RedisLock of a Laravel application. */
class GuardedRedisLock extends RedisLock
{
    /**
     * @param  string|array<string>|null  $servers
     * @param  array<string, mixed>  $options
     * @param  (Closure(string): void)|null  $guard  throws where synchronized() would do harm
     */
    public function __construct(
        #[SensitiveParameter] string|array|null $servers = null,
        #[SensitiveParameter] array $options = [],
        private readonly ?Closure $guard = null,
    ) {
        parent::__construct($servers, $options);
    }

    public function synchronized(
        string $name,
        callable $section,
        ?float $timeout = null,
        ?float $expire = null,
        ?bool $renew = null,
    ): mixed {
        if ($this->guard !== null) {
            ($this->guard)($name);
        }

        return parent::synchronized($name, $section, $timeout, $expire, $renew);
    }
}
