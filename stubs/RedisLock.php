<?php

/*
 * What the PHP extension redislock declares, for editors and static analysis. Not to be loaded: the extension brings
 * these classes itself. Made by bin/update-stubs from redislock.stub.php.
 */

/** What every failure of RedisLock is: a Redis that cannot be reached, that refuses, a lock not had in time, a lock lost. */
class RedisLockException extends RuntimeException
{
    /** The lock's name without its prefix; '' where none is concerned. */
    public readonly string $lockName;
    /** The server concerned, without any secret, e.g. 'redis://127.0.0.1:6379/0'; '' where none is. */
    public readonly string $server;
    /** The code of Redis' error reply, e.g. 'READONLY'; '' where there was none. */
    public readonly string $redisError;
}

/** The server cannot be reached, did not answer in time, refused the login, or sent what is no Redis reply. */
class RedisLockConnectionException extends RedisLockException
{
}

/** The server answered with an error: READONLY, OOM, NOPERM, WRONGTYPE, LOADING … */
class RedisLockServerException extends RedisLockException
{
}

/** synchronized() did not get the lock in time. */
class RedisLockTimeoutException extends RedisLockException
{
}

/** The lease ended, or somebody else took the lock, before the section was over. */
class RedisLockLostException extends RedisLockException
{
    /** What the section returned. */
    public readonly mixed $result;
}

/**
 * A distributed lock with a lease, on Redis or Valkey.
 *
 * All times are seconds, as float, rounded up to whole milliseconds. A lock that somebody else holds is `false`; a
 * Redis that cannot be reached or that answers with an error is a RedisLockException, never `false`; a bad argument is
 * a ValueError or TypeError before anything is sent.
 */
class RedisLock
{
    /**
     * Connects lazily: nothing is sent before the first call.
     *
     * @param string|array|null $servers `redis://[user:pass@]host[:port][/db]`, `tcp://…`, `unix:///path[?db=n]`
     *     or `env:NAME`, the name of an environment variable that holds one; null: the INI setting redislock.servers.
     * @param array $options prefix, expire, timeout, retry_interval, max_waiters, auto_release, fencing,
     *     persistent, connect_timeout, read_timeout, node_timeout, username, password, database.
     * @throws ValueError a malformed server, an unknown option, a value out of its range
     * @phpstan-param string|array<string>|null $servers
     * @phpstan-param array<string, mixed> $options
     */
    public function __construct(#[\SensitiveParameter] string|array|null $servers = null, #[\SensitiveParameter] array $options = []) {}

    /**
     * Takes the lock, waiting up to $timeout seconds, first come first served.
     *
     * @param string $name any bytes, not empty
     * @param float|null $timeout seconds to wait, 0 = do not wait, INF = for ever; null: the option `timeout`
     * @param float|null $expire seconds of lease, at least 0.01, INF = without end; null: the option `expire`
     * @param string|null $token the owner token, unique to this one acquisition; null: a random one
     * @return bool false: somebody else holds it, or this object does already
     * @throws RedisLockConnectionException the server cannot be reached
     * @throws RedisLockServerException the server answered with an error
     */
    public function lock(string $name, ?float $timeout = null, ?float $expire = null, #[\SensitiveParameter] ?string $token = null): bool {}

    /**
     * Releases the lock and hands it to the waiter that came first.
     *
     * @param string|null $token null: the one with which this object took it
     * @return bool false: it was no longer ours, so the section may have run unprotected
     * @throws RedisLockException the outcome is unknown, or the server answered with an error
     */
    public function unlock(string $name, #[\SensitiveParameter] ?string $token = null): bool {}

    /**
     * Sets the remaining lease to $expire seconds from now, if the lock is still ours. Never resurrects an expired lock.
     *
     * @param float|null $expire seconds, at least 0.01, INF = without end; null: the option `expire`
     * @return bool false: it was no longer ours
     * @throws RedisLockException
     */
    public function expire(string $name, ?float $expire = null, #[\SensitiveParameter] ?string $token = null): bool {}

    /**
     * Takes all of these locks, or none: an order has several articles, and loops over lock() deadlock.
     *
     * Without a wait it is one script and one round trip. Who waits takes them in one order for everybody, that of
     * their bytes, and stands in line for the first that is held while it keeps those before it; what it keeps is
     * extended when half of its lease is over, and then it goes to the end of that line. Each has its own lease, token
     * and fence. With several servers they are taken one after another, in that order too.
     *
     * @param string[] $names 1 to 1000, no two alike
     * @param float|null $timeout seconds to wait for all of them together; null: the option `timeout`
     * @param float|null $expire seconds of lease of each; null: the option `expire`
     * @return bool false: somebody else holds one of them, or this object does already; nothing was taken
     * @throws RedisLockConnectionException the server cannot be reached
     * @throws RedisLockServerException the server answered with an error
     * @phpstan-param array<string> $names
     */
    public function lockAll(array $names, ?float $timeout = null, ?float $expire = null): bool {}

    /**
     * Releases all that this object holds, in one round trip.
     *
     * @return bool false: at least one was no longer ours
     * @throws RedisLockException at least one could not be released; the others were
     */
    public function unlockAll(): bool {}

    /**
     * Asks Redis whether this object still owns the lock.
     *
     * @throws RedisLockException
     */
    public function isLocking(string $name): bool {}

    /**
     * Runs $section under the lock and releases it on every way out.
     *
     * @return mixed what the section returned
     * @throws RedisLockTimeoutException the lock was not had in time
     * @throws RedisLockLostException the section returned, but the lock was lost before its end
     * @throws RedisLockException Redis cannot be reached, or refuses
     * @template T
     * @phpstan-param callable(): T $section
     * @phpstan-return T
     */
    public function synchronized(string $name, callable $section, ?float $timeout = null, ?float $expire = null): mixed {}

    /**
     * The value kept under $key; where there is none, one caller builds it while the others wait for it, and all of
     * them are woken when it is there. null and false are values like any other.
     *
     * $rebuild runs under the lock $key, with the object's lease (`expire`); it may call expire($key). What it throws
     * reaches its own caller, and the next one tries. What took longer than the lease is returned, but not kept, since
     * there may be a newer value. A string is kept as it is, anything else by serialize(). One server only.
     *
     * @param string $key any bytes, not empty: the name of the lock too
     * @param callable $rebuild makes the value; without arguments
     * @param float $ttl seconds for which the value is good, INF = without end
     * @param float|null $timeout seconds to wait for the value; null: the option `timeout`, or `expire` where that is 0
     * @param float $stale for so many seconds past its end, the value is taken by all but the one that builds a new one
     * @param string[] $allowedClasses of which the value may have objects
     * @throws RedisLockTimeoutException somebody else builds the value, and it was not there in time
     * @throws ValueError the value would not come back equal, or has more than 1 000 000 bytes
     * @throws RedisLockException
     * @template T
     * @phpstan-param callable(): T $rebuild
     * @phpstan-return T
     */
    public function remember(string $key, callable $rebuild, float $ttl, ?float $timeout = null, float $stale = 0.0, array $allowedClasses = []): mixed {}

    /**
     * The same for a value that is kept elsewhere: what $read returns, if that is not null; otherwise one caller runs
     * $rebuild under the lock, after it has read once more, while the others wait and then read again.
     *
     * @param callable $read without arguments; null: there is no value
     * @param callable $rebuild makes the value, keeps it where $read finds it, and returns it; without arguments
     * @param float|null $timeout seconds to wait; null: the option `timeout`, or `expire` where that is 0
     * @throws RedisLockTimeoutException somebody else builds the value, and it was not there in time
     * @throws RedisLockLostException $rebuild took longer than the lease
     * @throws RedisLockException
     * @template R
     * @template T
     * @phpstan-param callable(): R $read
     * @phpstan-param callable(): T $rebuild
     * @phpstan-return (R is null ? T : R|T)
     */
    public function once(string $name, callable $read, callable $rebuild, ?float $timeout = null): mixed {}

    /**
     * Removes the value of remember(). One that is being built just now will not be kept, since it may be out of date.
     *
     * @return bool false: there was none
     * @throws RedisLockException
     */
    public function forget(string $key): bool {}

    /**
     * What this object holds, by the local clock, without a round trip.
     *
     * @return array name => seconds of lease left
     * @phpstan-return array<array-key, float>
     */
    public function held(): array {}

    /** Seconds of lease left, by the local clock, without a round trip; 0.0 when not held. */
    public function remaining(string $name): float {}

    /** The owner token with which this object holds the lock; null when it does not. */
    public function token(string $name): ?string {}

    /**
     * The fencing token: a number that is larger for every later holder of this lock.
     *
     * @return int|null null when this object does not hold the lock
     * @throws RedisLockException without the option `fencing`
     */
    public function fence(string $name): ?int {}

    /**
     * The token of whoever holds the lock now, any client's; null: it is free.
     *
     * @throws RedisLockException
     */
    public function owner(string $name): ?string {}

    /**
     * How many wait for the lock now.
     *
     * @throws RedisLockException
     */
    public function waiters(string $name): int {}

    /**
     * Takes the lock away from whoever holds it, and hands it to a waiter.
     *
     * @return bool false: nobody held it
     * @throws RedisLockException
     */
    public function forceUnlock(string $name): bool {}

    /**
     * Adopts a lock that was taken elsewhere (in a web request, for its queue job), if $token still holds it.
     *
     * @return bool false: $token does not hold the lock
     * @throws RedisLockException
     */
    public function attach(string $name, #[\SensitiveParameter] string $token): bool {}

    /**
     * Stops owning the lock without releasing it.
     *
     * @return string|null the owner token, for attach(); null when this object does not hold it
     */
    public function detach(string $name): ?string {}

    /**
     * What all objects of this process (with ZTS: thread) did since it started.
     *
     * @return array acquired, contended (calls that found the lock held), waited (seconds, all waits together),
     *     timed_out, released, lost, connections, reconnects, script_reloads, bytes_sent, bytes_received
     * @phpstan-return array<string, int|float>
     */
    public static function stats(): array {}
}
