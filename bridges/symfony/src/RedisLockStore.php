<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use Psr\Log\LoggerInterface;
use RedisLock;
use RedisLockException;
use RedisLockServerException;
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Exception\LockStorageException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * Locks of Symfony's Lock component in Redis, by the redislock extension: `acquire(true)` waits in the server, in order of
 * arrival, and is woken by the release.
 *
 * A Key may be serialised and released elsewhere: the owner token goes with it. By default it lives in the Key alone, and the
 * RedisLock object holds nothing between two calls. So others may share it, and its `auto_release` has nothing to release.
 * With `$holds`, or if leases are renewed, it holds each lock for as long as the Key is there, which has a Lease then.
 */
final class RedisLockStore implements BlockingStoreInterface
{
    use ExpiringStoreTrait;

    private const SHORTEST_LEASE = 0.01;
    private const LONGEST = 1e9; // seconds of a lease or a wait that has an end
    private const JUST_NOW = 0.02; // seconds

    private readonly string $stateKey;

    /** @var \WeakMap<Key, array{float, float}> when a Key took its lock, and what was left of the initial lease then */
    private \WeakMap $taken;

    private readonly bool $holds;

    /** @var \ArrayObject<array-key, \WeakReference<Lease>> by the names of the locks that the RedisLock holds */
    private \ArrayObject $held;

    /**
     * @param float  $initialTtl seconds of lease until the Lock sets its own; INF = without end
     * @param float  $timeout    seconds that acquire(true) waits at most; INF = for ever
     * @param string $id         tells the stores of one CombinedStore apart: a Key has a token for each
     * @param bool   $renew      whether leases are renewed in the background while the process and the Key are there
     * @param bool   $holds      whether the RedisLock holds the locks, as it does with $renew: it must be this store's alone,
     *                           with `auto_release` off
     */
    public function __construct(
        private readonly RedisLock $lock,
        private readonly float $initialTtl = 300.0,
        private readonly float $timeout = INF,
        private readonly ?LoggerInterface $logger = null,
        string $id = '',
        private readonly bool $renew = false,
        bool $holds = false,
    ) {
        if ($renew && $initialTtl === INF) {
            throw new InvalidTtlException('A lease that is renewed must have an end: the initial TTL is INF.');
        }
        if (!self::isLease($initialTtl)) {
            throw new InvalidTtlException(sprintf('An initial TTL of at least %s seconds is expected, got %s.', self::SHORTEST_LEASE, $initialTtl));
        }
        if (!($timeout >= 0)) { // so that NAN is refused too
            throw new InvalidArgumentException(sprintf('A timeout of at least 0 seconds is expected, got %s.', $timeout));
        }
        $this->taken = new \WeakMap();
        $this->holds = $holds || $renew;
        $this->held = new \ArrayObject();
        $this->stateKey = $id === '' ? self::class : self::class . ":$id";
    }

    public function save(Key $key): void
    {
        $this->take($key, 0.0);
    }

    public function waitAndSave(Key $key): void
    {
        $this->take($key, $this->timeout);
    }

    public function putOffExpiration(Key $key, float $ttl): void
    {
        if (!($ttl > 0)) { // so that NAN is refused too
            throw new InvalidTtlException(sprintf('A positive TTL is expected, got %s.', $ttl));
        }
        if (!self::isLease($ttl)) {
            $key->reduceLifetime(0.0); // too short for Redis: it has expired by now, and is released below
        } elseif (!$this->hasJustBeenTakenFor($key, $ttl)) {
            $this->believe($key, $ttl); // before the request: never believe in more than there is
            if (!$this->extend($key, $ttl)) {
                throw new LockConflictedException();
            }
        }
        $this->checkNotExpired($key);
    }

    public function delete(Key $key): void
    {
        if (!$key->hasState($this->stateKey)) {
            return;
        }
        $wasOurs = $this->ask(fn () => $this->lock->unlock((string) $key, $this->token($key)));
        $key->removeState($this->stateKey);
        unset($this->taken[$key]);
        if (!$wasOurs) {
            // The contract asks for silence here, but the section may have run unprotected.
            $this->logger?->warning('The lease of the "{resource}" lock had ended before it was released.', ['resource' => $key]);
        }
    }

    public function exists(Key $key): bool
    {
        if (!$key->hasState($this->stateKey)) {
            return false;
        }
        $token = $this->token($key);

        return $this->ask(fn () => $token === null ? $this->lock->isLocking((string) $key) : $this->owner($key) === $token);
    }

    private function take(Key $key, float $timeout): void
    {
        $sent = microtime(true);
        if ($this->extend($key, $this->initialTtl)) {
            $lease = $this->initialTtl - (microtime(true) - $sent);
        } else {
            $name = (string) $key;
            if (isset($this->held[$name])) {
                $this->makeWay($name);
            }
            if (!$this->ask(fn () => $this->lock->lock($name, self::limited($timeout), self::limited($this->initialTtl), renew: $this->renew))) {
                throw new LockConflictedException();
            }
            $lease = $this->lock->remaining($name); // since it was had, not since the wait for it began
            $key->setState(
                $this->stateKey,
                $this->holds ? new Lease($this->lock, $name, $this->held, $this->renew) : $this->lock->detach($name),
            );
            $this->taken[$key] = [microtime(true), $lease];
        }
        $this->believe($key, $lease);
        $this->checkNotExpired($key);
    }

    /**
     * The RedisLock would refuse at once what it holds for another Key. So that Key goes on by its token, and Redis decides,
     * as between two processes. A lock that is renewed is refused all the same: a wait for it would never end.
     */
    private function makeWay(string $name): void
    {
        if ($this->lock->remaining($name) === 0.0) {
            return;
        }
        if ($this->renew) {
            throw new LockConflictedException();
        }
        $this->held[$name]->get()?->token();
    }

    /** Lock::acquire() sets its own TTL behind each save(): a round trip for nothing where that is the initial one. */
    private function hasJustBeenTakenFor(Key $key, float $ttl): bool
    {
        if ($ttl !== $this->initialTtl || !isset($this->taken[$key])) {
            return false;
        }
        [$at, $lease] = $this->taken[$key];
        unset($this->taken[$key]);
        $since = microtime(true) - $at;
        if ($since < 0 || $since > self::JUST_NOW) {
            return false;
        }
        $this->believe($key, $lease - $since);

        return true;
    }

    /** False: this Key does not hold the lock, or not any more. */
    private function extend(Key $key, float $ttl): bool
    {
        return $key->hasState($this->stateKey)
            && $this->ask(fn () => $this->lock->expire((string) $key, self::limited($ttl), $this->token($key)));
    }

    private function owner(Key $key): ?string
    {
        try {
            return $this->lock->owner((string) $key);
        } catch (RedisLockServerException $e) {
            if ($e->redisError === 'WRONGTYPE') {
                return null; // a lock of Symfony's own RedisStore, which keeps a sorted set
            }
            throw $e;
        }
    }

    /** The token by which the RedisLock is to be asked about a Key that has a state; null: it holds the lock. */
    private function token(Key $key): ?string
    {
        $state = $key->getState($this->stateKey);

        return $state instanceof Lease ? $state->tokenFor($this->lock) : $state;
    }

    private function isRenewed(Key $key): bool
    {
        $state = $this->renew && $key->hasState($this->stateKey) ? $key->getState($this->stateKey) : null;

        return $state instanceof Lease && $state->isOf($this->lock);
    }

    /**
     * @template T
     *
     * @param callable(): T $request
     *
     * @return T
     */
    private function ask(callable $request): mixed
    {
        try {
            return $request();
        } catch (RedisLockException $e) {
            throw new LockStorageException($e->getMessage(), 0, $e);
        } catch (\ValueError $e) { // an empty, too long or reserved name; the component's Lock catches no Error
            throw new InvalidArgumentException($e->getMessage(), 0, $e);
        }
    }

    /**
     * A lease without end leaves the Key's lifetime null: JSON has no infinity. So does one that is renewed, since nobody
     * tells the Key each time.
     */
    private function believe(Key $key, float $seconds): void
    {
        if ($seconds !== INF && !$this->isRenewed($key)) {
            $key->reduceLifetime($seconds);
        }
    }

    /** As much of it as the extension takes, which is more than 30 years. */
    private static function limited(float $seconds): float
    {
        return $seconds === INF ? INF : min($seconds, self::LONGEST);
    }

    private static function isLease(float $ttl): bool
    {
        return $ttl >= self::SHORTEST_LEASE; // false for NAN
    }
}
