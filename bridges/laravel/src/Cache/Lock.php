<?php

namespace Redislock\Laravel\Cache;

use Closure;
use Illuminate\Cache\Lock as LaravelLock;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Support\Sleep;
use RedisLock;
use RedisLockException;
use Throwable;

/**
 * Laravel's lock on the extension. It is never released by itself: that of a unique job is taken in one process and
 * released in another, that of `onOneServer` by its lease alone.
 */
class Lock extends LaravelLock
{
    /** The shortest lease, and the longest lease, wait and interval, that the extension takes, in seconds. */
    private const SHORTEST = 0.01;

    private const LONGEST = 1e9;

    /** What took the lock, until it is released. */
    private ?RedisLock $taken = null;

    /**
     * Whether the owner was chosen before the lock was first taken; null: there is none yet. If it was not, each time that
     * the lock is taken has a new one: the extension draws it, and `owner` stays empty until somebody asks for it.
     */
    private ?bool $ownerIsChosen;

    private ?float $retryInterval = null;

    private bool $renew = false;

    /**
     * @param  Closure(array<string, mixed>): RedisLock  $open  with these options and its own
     * @param  string  $connection  the name of Laravel's
     * @param  string  $name  the whole key
     * @param  int|float  $seconds  of lease; 0: without end
     * @param  string|null  $owner
     * @param  (Closure(string): string)|null  $pack  what Laravel's client makes of an owner before it stores it
     */
    public function __construct(
        private readonly Closure $open,
        private readonly string $connection,
        $name,
        $seconds,
        $owner = null,
        private readonly ?Closure $pack = null,
    ) {
        parent::__construct($name, $seconds, (string) $owner);

        $this->ownerIsChosen = $this->owner !== '' ? true : null;
    }

    public function acquire()
    {
        return $this->take(0);
    }

    public function get($callback = null)
    {
        $taken = $this->acquire();

        return $taken && is_callable($callback) ? $this->section($callback) : $taken;
    }

    /** Waits in the server, first come first served; where a test fakes Laravel's Sleep, as Laravel's own lock does. */
    public function block($seconds, $callback = null)
    {
        if (self::sleepIsFaked()) {
            parent::block($seconds);
        } elseif (! $this->take(min(max(0, $seconds), self::LONGEST))) {
            throw new LockTimeoutException;
        }

        return is_callable($callback) ? $this->section($callback) : true;
    }

    public function release()
    {
        [$taken, $this->taken] = [$this->taken, null];
        if ($taken === null) {
            return $this->owner !== '' && $this->open()->unlock($this->name, $this->stored($this->owner));
        }
        try {
            return $taken->unlock($this->name);
        } catch (RedisLockException $e) {
            $this->taken ??= $taken; // for another try: it alone knows the owner
            throw $e;
        }
    }

    public function forceRelease()
    {
        ($this->taken ?? $this->open())->forceUnlock($this->name);
        $this->taken = null;
    }

    /** What is renewed is renewed with these seconds from then on; a lock that was restored begins to be. */
    public function refresh($seconds = null)
    {
        $lease = self::lease($seconds ?? $this->seconds);
        if ($this->taken !== null) {
            return $this->taken->expire($this->name, $lease);
        }
        if ($this->renews($lease)) {
            $lock = $this->open(['expire' => $lease]);
            $adopted = $this->owner !== '' && $lock->attach($this->name, $this->stored($this->owner), renew: true);
            $this->taken = $adopted ? $lock : null;

            return $adopted;
        }

        return $this->owner !== '' && $this->open()->expire($this->name, $lease, $this->stored($this->owner));
    }

    public function owner()
    {
        if ($this->owner === '') {
            // After the release or the loss of a lock, the extension no longer tells its owner: this one holds nothing.
            $this->owner = $this->taken?->token($this->name) ?? self::newOwner();
            $this->ownerIsChosen ??= true; // whoever asked may tell it to another process, which then releases by it
        }

        return $this->owner;
    }

    public function isOwnedByCurrentProcess()
    {
        return $this->taken?->isLocking($this->name) ?? parent::isOwnedByCurrentProcess();
    }

    public function isOwnedBy($owner)
    {
        return $this->open()->owner($this->name) === ($owner === null ? null : $this->stored($owner));
    }

    /** How often to look while a client of another kind holds the lock; a wait for ours needs no looking. */
    public function betweenBlockedAttemptsSleepFor($milliseconds)
    {
        $this->retryInterval = min(max(0.001, $milliseconds / 1000), self::LONGEST);

        return parent::betweenBlockedAttemptsSleepFor($milliseconds);
    }

    /**
     * Has the lease renewed in the background, from when this object takes the lock until it releases it or goes away. So
     * a few seconds of lease are enough for a section of any length. To be called before the lock is taken; a lock of 0
     * seconds has no end to put off.
     */
    public function renew(bool $renew = true): static
    {
        $this->renew = $renew;

        return $this;
    }

    /** As Laravel's own Redis lock says it. */
    public function getConnectionName()
    {
        return $this->connection;
    }

    protected function getCurrentOwner()
    {
        $stored = $this->open()->owner($this->name);

        return $this->owner !== '' && $stored === $this->stored($this->owner) ? $this->owner : $stored;
    }

    private function take(float $timeout): bool
    {
        $owner = match (true) {
            $this->ownerIsChosen => $this->owner,
            $this->pack !== null => self::newOwner(),
            default => null, // the extension makes one, and knows it again when a reply was lost
        };
        if ($this->ownerIsChosen && ! $this->awaitRelease($timeout)) {
            return false;
        }
        // Each try has an object of its own: it knows nothing of a lease of ours that may have ended meanwhile.
        $lock = $this->open();
        $lease = self::lease($this->seconds);
        $token = $owner === null ? null : $this->stored($owner);
        if (! $lock->lock($this->name, $timeout, $lease, $token, renew: $this->renews($lease))) {
            return false;
        }
        $this->taken = $lock;
        $this->owner = $owner ?? '';
        $this->ownerIsChosen ??= false;

        return true;
    }

    /**
     * Waits until this owner does not hold the lock already, as one that was restored does, and takes the time off. The
     * extension takes a token for one that is used once: where it hears no answer, it releases what stands under it.
     */
    private function awaitRelease(float &$timeout): bool
    {
        $until = microtime(true) + $timeout;
        while ($this->open()->attach($this->name, $this->stored($this->owner))) {
            $left = $until - microtime(true);
            if ($left <= 0) {
                return false;
            }
            usleep((int) (1e6 * min($left, $this->retryInterval ?? 0.1)));
        }
        $timeout = max(0.0, min($timeout, $until - microtime(true)));

        return true;
    }

    /** Runs it and releases the lock. What goes wrong with the release is reported, and takes nothing from the result. */
    private function section(callable $callback): mixed
    {
        try {
            return $callback();
        } finally {
            try {
                if ($this->taken !== null && ! $this->release()) {
                    logger()->warning("The lock {$this->name} was lost before its section ended: its lease is {$this->seconds} s.");
                }
            } catch (Throwable $e) {
                report($e);
            }
        }
    }

    /** @param array<string, mixed> $options */
    private function open(array $options = []): RedisLock
    {
        return ($this->open)($options + ($this->retryInterval === null ? [] : ['retry_interval' => $this->retryInterval]));
    }

    private function renews(float $lease): bool
    {
        return $this->renew && $lease !== INF;
    }

    private function stored(string $owner): string
    {
        return $this->pack === null ? $owner : ($this->pack)($owner);
    }

    private static function lease(int|float|string $seconds): float
    {
        return $seconds > 0 && $seconds < INF ? min(max((float) $seconds, self::SHORTEST), self::LONGEST) : INF;
    }

    private static function sleepIsFaked(): bool
    {
        return (fn () => static::$fake ?? false)->bindTo(null, Sleep::class)();
    }

    /** Of the kind that the extension makes: its waiters know by that how often to look whether the holder lives. */
    private static function newOwner(): string
    {
        return 'rl:'.bin2hex(random_bytes(16));
    }
}
