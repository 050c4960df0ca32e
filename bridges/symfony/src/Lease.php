<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use RedisLock;

/**
 * The state of a Key whose lock the RedisLock of the store holds. The owner token stays in the RedisLock until somebody needs
 * it: the Key is serialised, or another Key asks the same RedisLock for the lock. From then on the Key has its lock by the
 * token alone; a lock that is renewed stays with the RedisLock too.
 *
 * This goes away with the Key. The lock is not released then, and ends with its lease.
 *
 * @internal
 */
final class Lease implements \JsonSerializable
{
    /** Of a lock that was lost before anybody needed its token. */
    private const LOST = 'rl:lost';

    private ?string $token = null;

    /** @param \ArrayObject<array-key, \WeakReference<self>> $held by the names of the locks; this one is added */
    public function __construct(
        private ?RedisLock $lock,
        private string $name,
        private \ArrayObject $held,
        private bool $renewed,
    ) {
        $held[$name] = \WeakReference::create($this);
    }

    public function __destruct()
    {
        if ($this->isHeld()) {
            $this->detach();
        }
    }

    /** The owner token. From now on, others may know it. */
    public function token(): string
    {
        $token = $this->isHeld() ? $this->lock->token($this->name) : null;
        if ($token !== null) {
            $this->token = $token;
            if (!$this->renewed) {
                $this->detach();
            }
        }

        return $this->token ?? self::LOST;
    }

    /** The token by which this RedisLock is to be asked about the lock; null: it holds it. */
    public function tokenFor(RedisLock $lock): ?string
    {
        return $this->isOf($lock) && $this->isHeld() ? null : $this->token();
    }

    /** Was the lock taken through this RedisLock? */
    public function isOf(RedisLock $lock): bool
    {
        return $lock === $this->lock;
    }

    public function __serialize(): array
    {
        return ['token' => $this->token()];
    }

    public function __unserialize(array $data): void
    {
        $this->lock = null;
        $this->token = (string) $data['token'];
    }

    public function jsonSerialize(): string
    {
        return $this->token();
    }

    /** The token stays out of dumps. */
    public function __debugInfo(): array
    {
        return [];
    }

    /** False also if another Key has taken the lock meanwhile. */
    private function isHeld(): bool
    {
        return $this->lock !== null && ($this->held[$this->name] ?? null)?->get() === $this;
    }

    private function detach(): void
    {
        unset($this->held[$this->name]);
        $this->lock->detach($this->name);
    }
}
