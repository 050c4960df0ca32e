<?php

namespace Redislock\Laravel\Testing;

use Closure;
use PHPUnit\Framework\Assert;
use RedisLock;
use RedisLockHeldException;
use RedisLockLostException;
use RedisLockTimeoutException;

/** A RedisLock for tests: without a server, never waiting, and it can be asked what was locked. */
class FakeRedisLock extends RedisLock
{
    /** @var array<string, string> name => token */
    private array $mine = [];

    /** @var array<string, string> */
    private array $others = [];

    /** @var array<string, true> what somebody else has by now, and this object has not yet tried to release */
    private array $lost = [];

    /** @var array<string, mixed> what remember() keeps */
    private array $values = [];

    /** @var list<string> every name that was ever taken */
    private array $taken = [];

    /** @param (Closure(string): void)|null $guard */
    public function __construct(private readonly ?Closure $guard = null)
    {
    }

    // --- What the test sets up ---

    /** Somebody else holds these, until they are freed. */
    public function heldElsewhere(string ...$names): static
    {
        foreach ($names as $name) {
            if (isset($this->mine[$name])) {
                unset($this->mine[$name]);
                $this->lost[$name] = true;
            }
            $this->others[$name] = self::newToken();
        }

        return $this;
    }

    public function freed(string ...$names): static
    {
        $this->others = array_diff_key($this->others, array_flip($names));

        return $this;
    }

    // --- What the test asks ---

    public function assertLocked(string $name): void
    {
        Assert::assertContains($name, $this->taken, "[$name] was never locked.");
    }

    public function assertNotLocked(string $name): void
    {
        Assert::assertNotContains($name, $this->taken, "[$name] was locked.");
    }

    public function assertNothingLocked(): void
    {
        Assert::assertSame([], $this->taken, 'Something was locked.');
    }

    /** Everything that was locked was released too. */
    public function assertNothingHeld(): void
    {
        Assert::assertSame([], array_keys($this->mine), 'Something is still locked.');
    }

    // --- RedisLock ---

    public function lock(
        string $name,
        ?float $timeout = null,
        ?float $expire = null,
        ?string $token = null,
        ?bool $renew = null,
    ): bool {
        if (isset($this->mine[$name]) || isset($this->others[$name])) {
            return false;
        }
        $this->mine[$name] = $token ?? self::newToken();
        $this->taken[] = $name;
        unset($this->lost[$name]);

        return true;
    }

    public function lockAll(array $names, ?float $timeout = null, ?float $expire = null, ?bool $renew = null): bool
    {
        if (array_intersect_key(array_flip($names), $this->mine + $this->others) !== []) {
            return false;
        }

        foreach ($names as $name) {
            $this->lock($name);
        }

        return true;
    }

    public function unlock(string $name, ?string $token = null): bool
    {
        $owned = $this->owns($name, $token);
        unset($this->lost[$name]);
        if ($owned) {
            unset($this->mine[$name], $this->others[$name]);
        }

        return $owned;
    }

    public function expire(string $name, ?float $expire = null, ?string $token = null): bool
    {
        return $this->owns($name, $token);
    }

    public function unlockAll(): bool
    {
        $allWereOurs = $this->lost === [];
        $this->mine = $this->lost = [];

        return $allWereOurs;
    }

    public function isLocking(string $name): bool
    {
        return isset($this->mine[$name]);
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

        return $this->section($name, $section);
    }

    public function remember(
        string $key,
        callable $rebuild,
        float $ttl,
        ?float $timeout = null,
        float $stale = 0.0,
        array $allowedClasses = [],
    ): mixed {
        if (! array_key_exists($key, $this->values)) {
            $this->values[$key] = $this->section($key, $rebuild);
        }

        return $this->values[$key];
    }

    public function once(string $name, callable $read, callable $rebuild, ?float $timeout = null): mixed
    {
        return $read() ?? $this->section($name, fn () => $read() ?? $rebuild());
    }

    public function forget(string $key): bool
    {
        $there = array_key_exists($key, $this->values);
        unset($this->values[$key]);

        return $there;
    }

    public function held(): array
    {
        return array_map(fn () => INF, $this->mine);
    }

    public function remaining(string $name): float
    {
        return isset($this->mine[$name]) ? INF : 0.0;
    }

    public function lost(string $name): bool
    {
        return isset($this->lost[$name]);
    }

    public function ensure(string $name, float $atLeast = 0.0): void
    {
        if (! isset($this->mine[$name])) {
            throw new RedisLockLostException("The lock \"$name\" is not held", lockName: $name);
        }
    }

    public function token(string $name): ?string
    {
        return $this->mine[$name] ?? null;
    }

    public function fence(string $name): ?int
    {
        return isset($this->mine[$name]) ? count($this->taken) : null;
    }

    public function owner(string $name): ?string
    {
        return $this->mine[$name] ?? $this->others[$name] ?? null;
    }

    public function holder(string $name): ?array
    {
        return $this->owner($name) === null ? null : ['owner' => null, 'since' => null, 'lease' => INF, 'renewed' => null, 'waiters' => 0];
    }

    public function waiters(string $name): int
    {
        return 0;
    }

    public function forceUnlock(string $name): bool
    {
        $held = $this->owner($name) !== null;
        unset($this->mine[$name], $this->others[$name]);

        return $held;
    }

    public function attach(string $name, string $token, ?bool $renew = null): bool
    {
        if ($this->owner($name) !== $token) {
            return false;
        }
        unset($this->others[$name]);
        $this->mine[$name] = $token;

        return true;
    }

    public function detach(string $name): ?string
    {
        $token = $this->token($name);
        if ($token !== null) {
            unset($this->mine[$name]);
            $this->others[$name] = $token;
        }

        return $token;
    }

    private function section(string $name, callable $section): mixed
    {
        if (isset($this->mine[$name])) {
            throw new RedisLockHeldException("This object holds the lock \"$name\" already", lockName: $name);
        }
        if (! $this->lock($name)) {
            throw new RedisLockTimeoutException("The lock \"$name\" was not had in time", lockName: $name);
        }
        try {
            $result = $section();
        } finally {
            $released = $this->unlock($name);
        }
        if (! $released) {
            $what = "The lock \"$name\" was lost before its section ended";
            throw new RedisLockLostException($what, lockName: $name, result: $result);
        }

        return $result;
    }

    private function owns(string $name, ?string $token): bool
    {
        return $token === null ? isset($this->mine[$name]) : $this->owner($name) === $token;
    }

    private static function newToken(): string
    {
        return 'rl:'.bin2hex(random_bytes(16));
    }
}
