<?php

/**
 * @generate-class-entries
 * @generate-legacy-arginfo 80200
 */

/** What every failure of RedisLock is: a Redis that cannot be reached, that refuses, a lock not acquired in time, a lock lost. */
class RedisLockException extends RuntimeException
{
    /** The lock's name without its prefix; '' if none is concerned. */
    public readonly string $lockName;
    /** The server concerned, without any secret, e.g. 'redis://127.0.0.1:6379/0'; '' if none is. */
    public readonly string $server;
    /** The code of Redis' error reply, e.g. 'READONLY'; '' if there was none. */
    public readonly string $redisError;

    /** For tests of an application: the extension makes its own. */
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null, string $lockName = "", string $server = "", string $redisError = "") {}
}

/** The server cannot be reached, did not answer in time, refused the login, or sent what is no Redis reply. */
class RedisLockConnectionException extends RedisLockException
{
}

/** The server answered with an error: READONLY, OOM, NOPERM, WRONGTYPE, LOADING … */
class RedisLockServerException extends RedisLockException
{
}

/**
 * synchronized() did not acquire the lock in time, or remember() or once() did not get the value. lock() and lockAll() throw it
 * when the server's answer came after the end of the lease.
 */
class RedisLockTimeoutException extends RedisLockException
{
}

/** synchronized(), remember() or once() of a name that this object holds already: it would wait for itself for ever. */
class RedisLockHeldException extends RedisLockException
{
}

/**
 * The lease ended, or somebody else took the lock, before the section was over; or ensure() found less of it than asked for.
 * With the option on_loss 'throw', it is thrown into the code that runs: when the lock is lost, or little of its lease is left.
 */
class RedisLockLostException extends RedisLockException
{
    /** What the section returned; null from ensure(), and by on_loss. */
    public readonly mixed $result;

    /** For tests of an application: the extension makes its own. */
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null, string $lockName = "", string $server = "", string $redisError = "", mixed $result = null) {}
}

/**
 * A distributed lock with a lease, on Redis or Valkey.
 *
 * All times are seconds, as float, rounded up to whole milliseconds. A lock that somebody else holds is `false`; a
 * Redis that cannot be reached or that answers with an error is a RedisLockException, never `false`; a bad argument is
 * a ValueError or TypeError before anything is sent.
 *
 * @strict-properties
 * @not-serializable
 */
class RedisLock
{
    /**
     * Connects lazily: nothing is sent before the first call.
     *
     * @param string|array|null $servers a server, or a list of up to 16 that know nothing of each other (Redlock): each
     *     `redis://[user:password@]host[:port][/db]` (`valkey://` and `tcp://` are the same), `rediss://…` (`valkeys://`
     *     and `tls://` are the same) for TLS, `unix:///path[?db=n]`, or `env:NAME`, the environment variable that holds
     *     such servers, with spaces between; or, as the only one, the master that sentinels (1 to 16, port 26379 by
     *     default) know by a name: `redis-sentinel://[user:password@]host[:port][,host[:port]…]/master[/db]`
     *     (`valkey-sentinel://` is the same), `rediss-sentinel://…` (`valkeys-sentinel://` is the same) for TLS with both;
     *     or, as the only one, a cluster by 1 to 16 of its nodes: `redis-cluster://[user:password@]host[:port][,host[:port]…][/db]`
     *     (`valkey-cluster://` is the same), `rediss-cluster://…` (`valkeys-cluster://` is the same) for TLS with all nodes;
     *     null: the INI setting redislock.servers
     * @param array $options prefix (up to 65 535 bytes); owner (what holder() tells of who holds a lock: up to 50 bytes of
     *     UTF-8 without control characters; '': nothing; by default the host, the pid and what describe() was told, or the
     *     script's name); expire, timeout, retry_interval, connect_timeout, read_timeout, node_timeout (seconds);
     *     max_waiters (0: no limit); replicas (0 to 16 replicas of the one server that must have a lock before it
     *     counts); auto_release (true, false or 'request'); renew (bool: leases
     *     are renewed in the background), max_hold (seconds, up to INF); local (bool: the processes of a machine pass locks
     *     on to each other); takeover (bool: the lock of a killed holder on this machine goes to the next one at once, if both
     *     have it; what the killed one has begun may go on); slow_wait, slow_hold (seconds, from which on a wait or a hold is logged; INF: none is);
     *     metrics_group (string, of all locks of the object); on_loss (how the holder hears of a loss while it works:
     *     'flag', by lost() alone; 'throw', by a RedisLockLostException in the code that runs; or by a callable,
     *     `fn (string $name, float $remaining): void`, which may throw and must not switch fibers); listener (hears what becomes
     *     of locks: a Psr\Log\LoggerInterface, or `fn (string $event, string $name, array $context): void` with the event
     *     'acquired', 'waited', 'lost' or 'released'; what it throws becomes a warning); fencing, persistent
     *     (bool); username, password; database; sentinel_username, sentinel_password (the login at the sentinels; none by
     *     default), sentinel_tls (bool: whether the sentinels are reached by TLS; by default as the scheme says); tls (for
     *     `rediss://`, `rediss-sentinel://` and `rediss-cluster://`: cafile, capath, local_cert, local_pk, peer_name,
     *     verify_peer, verify_peer_name). Numbers may be numeric strings; for a bool, 1, on,
     *     yes, true, 0, off, no, false and the empty string are taken too, but not the empty one for verify_peer and
     *     verify_peer_name; null leaves the default, and so does an empty username, password, database, sentinel_username,
     *     sentinel_password or sentinel_tls.
     * @throws ValueError a malformed server, an unknown option, a value out of its range; sentinel_… with a server that has
     *     no sentinels; a server with sentinels, or a cluster, beside others; a prefix with which no name has one slot in a
     *     cluster
     * @throws TypeError an option, or a server of the list, is of the wrong type
     * @phpstan-param string|array<string>|null $servers
     * @phpstan-param array<string, mixed> $options
     */
    public function __construct(#[\SensitiveParameter] string|array|null $servers = null, #[\SensitiveParameter] array $options = []) {}

    /**
     * Takes the lock, waiting up to $timeout seconds, first come first served.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param float|null $timeout seconds to wait, 0 to 10⁹, 0 = do not wait, INF = for ever; null: the option `timeout`
     * @param float|null $expire seconds of lease, 0.01 to 10⁹, INF = without end; null: the option `expire`
     * @param string|null $token the owner token, 1 to 65 535 bytes, unique to this one acquisition, and another one after
     *     a call that threw: if no answer is heard, what stands under it is released, maybe late; null: a random one
     * @param bool|null $renew whether a background thread renews the lease for as long as this object holds the lock, up to
     *     the option `max_hold`; null: the option `renew`
     * @return bool false: somebody else holds it, or this object does already
     * @throws RedisLockConnectionException the server cannot be reached
     * @throws RedisLockServerException the server answered with an error
     * @throws RedisLockTimeoutException the server's answer came after the end of the lease
     * @throws RedisLockException a signal handler forked during the wait: thrown in the child, which has no lock
     * @throws RedisLockException the lease cannot be renewed, or watched for on_loss: no thread can be started; nothing was
     *     taken
     * @throws ValueError an argument is out of its range, or $name ends as one of this library's own keys, or has a } without a
     *     hash tag, {…}, in a cluster; a lease without end is to be renewed
     */
    public function lock(string $name, ?float $timeout = null, ?float $expire = null, #[\SensitiveParameter] ?string $token = null, ?bool $renew = null): bool {}

    /**
     * Releases the lock and hands it to the waiter that came first.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param string|null $token 1 to 65 535 bytes; null: the one with which this object took it
     * @return bool false: it was no longer ours, so the section may have run unprotected; or, without $token, another fiber
     *     took it through this object, and this fiber asked for it in vain
     * @throws RedisLockException the outcome is unknown, or the server answered with an error
     * @throws ValueError as for lock()
     */
    public function unlock(string $name, #[\SensitiveParameter] ?string $token = null): bool {}

    /**
     * Sets the remaining lease to $expire seconds from now, if the lock is still ours. Never resurrects an expired lock. A
     * lease that is renewed is renewed with these seconds from then on, and no longer if they are INF.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param float|null $expire seconds, 0.01 to 10⁹, INF = without end; null: the option `expire`
     * @param string|null $token as for unlock()
     * @return bool false: it was no longer ours
     * @throws RedisLockException the outcome is unknown, or the server answered with an error
     * @throws ValueError as for lock()
     */
    public function expire(string $name, ?float $expire = null, #[\SensitiveParameter] ?string $token = null): bool {}

    /**
     * Takes all of these locks, or none: an order has several articles, and loops over lock() deadlock.
     *
     * Without a wait it is one script and one round trip. Waiting callers take them in one order for everybody, that of
     * their bytes: a caller stands in line for the first that is held while it keeps those before it. What it keeps is
     * extended when half of its lease is over, and then the caller goes to the end of that line. Each lock has its own
     * lease, token and fence. With several servers they are taken one after another, in that order too; so are names of
     * several slots of a cluster, where a call without a wait may be false because of another one that had a name for a
     * moment and gave it back.
     *
     * @param string[] $names 1 to 1000 names as for lock(), no two alike
     * @param float|null $timeout seconds to wait for all of them together, 0 to 10⁹, INF = for ever; null: the option `timeout`
     * @param float|null $expire seconds of lease of each, 0.01 to 10⁹, INF = without end; null: the option `expire`
     * @param bool|null $renew as for lock()
     * @return bool false: somebody else holds one of them, or this object does already; nothing was taken
     * @throws RedisLockConnectionException the server cannot be reached
     * @throws RedisLockServerException the server answered with an error
     * @throws RedisLockTimeoutException a lease ended before all locks were taken
     * @throws RedisLockException as for lock()
     * @throws ValueError no names, too many, one twice; otherwise as for lock()
     * @throws TypeError a name is not a string
     * @phpstan-param array<string> $names
     */
    public function lockAll(array $names, ?float $timeout = null, ?float $expire = null, ?bool $renew = null): bool {}

    /**
     * Releases all that this object holds, 1 000 locks in one round trip. The time budget starts anew with each 1 000 that
     * are answered.
     *
     * @return bool false: at least one was no longer ours
     * @throws RedisLockException at least one could not be released; the message says how many
     */
    public function unlockAll(): bool {}

    /**
     * Asks Redis whether this object still owns the lock.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return bool false: this object does not hold it, or not any more
     * @throws RedisLockException Redis cannot be reached, or answered with an error
     * @throws ValueError as for lock()
     */
    public function isLocking(string $name): bool {}

    /**
     * Runs $section under the lock and releases it on every way out. What $section throws is what the caller gets.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param callable $section without arguments
     * @param float|null $timeout seconds to wait, 0 to 10⁹, INF = for ever; null: the option `timeout`
     * @param float|null $expire seconds of lease, 0.01 to 10⁹, INF = without end; null: the option `expire`
     * @param bool|null $renew as for lock()
     * @return mixed what the section returned
     * @throws RedisLockTimeoutException the lock was not acquired in time
     * @throws RedisLockHeldException this object holds it already
     * @throws RedisLockLostException the section returned, but the lock was lost before its end
     * @throws RedisLockException Redis cannot be reached, or answered with an error
     * @throws ValueError as for lock(); $section is a generator function
     * @template T
     * @phpstan-param callable(): T $section
     * @param-immediately-invoked-callable $section
     * @phpstan-return T
     */
    public function synchronized(string $name, callable $section, ?float $timeout = null, ?float $expire = null, ?bool $renew = null): mixed {}

    /**
     * The value kept under $key; if there is none, one caller builds it while the others wait for it, and all of
     * them are woken when it is there. null and false are values like any other.
     *
     * $rebuild runs under the lock $key, with the object's lease (`expire`, `renew`); it may call expire($key). What it throws
     * reaches its own caller, and the next one tries. What took longer than the lease is returned, but not kept, since
     * there may be a newer value. A string is kept as it is, anything else by serialize(). A value that would not come
     * back equal, or has more than 1 000 000 bytes, is returned with a warning, and not kept; one that is kept and cannot
     * be read is built anew. One server only.
     *
     * @param string $key any bytes, 1 to 65 535 of them: the name of the lock too
     * @param callable $rebuild makes the value; without arguments
     * @param float $ttl seconds for which the value is good, more than 0 and up to 10⁹, INF = without end
     * @param float|null $timeout seconds to wait for the value, 0 to 10⁹, INF = for ever; null: the option `timeout`, or
     *     `expire` if that is 0
     * @param float $stale for so many seconds past its end (0 to 10⁹, INF), the value is taken by all but the one that
     *     builds a new one
     * @param string[] $allowedClasses of which the value may have objects
     * @return mixed the value
     * @throws RedisLockTimeoutException somebody else builds the value, and it was not there in time
     * @throws RedisLockHeldException this object holds the lock $key already, and there is no value
     * @throws ValueError an argument is out of its range; $rebuild is a generator function; a lease without end is to be
     *     renewed
     * @throws TypeError $allowedClasses has something else than strings
     * @throws RedisLockException Redis cannot be reached, or answered with an error; the object has several servers
     * @template T
     * @phpstan-param callable(): T $rebuild
     * @param-immediately-invoked-callable $rebuild
     * @phpstan-param array<string> $allowedClasses
     * @phpstan-return T
     */
    public function remember(string $key, callable $rebuild, float $ttl, ?float $timeout = null, float $stale = 0.0, array $allowedClasses = []): mixed {}

    /**
     * The same for a value that is kept elsewhere: what $read returns, if that is not null; otherwise one caller runs
     * $rebuild under the lock, after it has read once more, while the others wait and then read again.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param callable $read without arguments; null: there is no value
     * @param callable $rebuild makes the value, keeps it where $read finds it, and returns it; without arguments
     * @param float|null $timeout seconds to wait, 0 to 10⁹, INF = for ever; null: the option `timeout`, or `expire` if
     *     that is 0
     * @return mixed what $read or $rebuild returned
     * @throws RedisLockTimeoutException somebody else builds the value, and it was not there in time
     * @throws RedisLockHeldException this object holds the lock already, and there is no value
     * @throws RedisLockLostException $rebuild took longer than the lease
     * @throws RedisLockException Redis cannot be reached, or answered with an error
     * @throws ValueError as for lock(); one of the callables is a generator function; a lease without end is to be renewed
     * @template R
     * @template T
     * @phpstan-param callable(): R $read
     * @param-immediately-invoked-callable $read
     * @phpstan-param callable(): T $rebuild
     * @param-immediately-invoked-callable $rebuild
     * @phpstan-return (R is null ? T : R|T)
     */
    public function once(string $name, callable $read, callable $rebuild, ?float $timeout = null): mixed {}

    /**
     * Removes the value of remember(). One that is being built just now will not be kept, since it may be out of date.
     *
     * @param string $key as for remember()
     * @return bool false: there was none
     * @throws RedisLockException Redis cannot be reached, or answered with an error; the object has several servers
     * @throws ValueError as for lock()
     */
    public function forget(string $key): bool {}

    /**
     * What this object holds, by the local clock, without a round trip.
     *
     * @return array name => seconds of lease left, INF if it has no end
     * @phpstan-return array<array-key, float>
     */
    public function held(): array {}

    /**
     * How long the lease lasts, by the local clock, without a round trip.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return float seconds, INF if it has no end; 0.0 when this object does not hold the lock
     * @throws ValueError as for lock()
     */
    public function remaining(string $name): float {}

    /**
     * Whether this object has lost a lock that it took and has not released: the lease is over by the local clock, or Redis
     * said that the lock is not ours. False again once the lock is taken anew, or was given up by unlock(). Of very many locks
     * that nobody unlocks, the object forgets the oldest: not the last 1 024 that lapsed, nor what lapsed within a minute.
     * Without a round trip.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return bool false also for a lock that this object never took
     * @throws ValueError as for lock()
     */
    public function lost(string $name): bool {}

    /**
     * Makes sure, by the local clock and without a round trip, that the lease lasts for $atLeast seconds more: to be called
     * directly before what must not happen without the lock, such as a COMMIT.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param float $atLeast seconds, 0 to 10⁹ or INF; 0: that there is a lease at all
     * @throws RedisLockLostException less is left, or this object does not hold the lock
     * @throws ValueError an argument is out of its range
     */
    public function ensure(string $name, float $atLeast = 0.0): void {}

    /**
     * The owner token with which this object holds the lock, without a round trip.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return string|null null when this object does not hold the lock
     * @throws ValueError as for lock()
     */
    public function token(string $name): ?string {}

    /**
     * The fencing token: a number that is larger for every later holder of this lock. Without a round trip.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return int|null null when this object does not hold the lock
     * @throws RedisLockException without the option `fencing`
     * @throws ValueError as for lock()
     */
    public function fence(string $name): ?int {}

    /**
     * The token of whoever holds the lock now, any client's.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return string|null null: it is free
     * @throws RedisLockException Redis cannot be reached, or answered with an error; the key is no lock of ours (WRONGTYPE)
     * @throws ValueError as for lock()
     */
    public function owner(string $name): ?string {}

    /**
     * Who holds the lock now, for people to read: by one request.
     *
     * `owner`, `since` (Unix time, by the owner's clock) and `renewed` (its lease is renewed in the background) are null if
     * the token does not tell them: that of another client, or with an empty option `owner`. What a token tells is no proof of
     * who wrote it. `lease` is how many seconds the lock is kept from now on, INF without end.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return array|null null: it is free
     * @phpstan-return array{owner: ?string, since: ?float, lease: float, renewed: ?bool, waiters: int}|null
     * @throws RedisLockException Redis cannot be reached, or answered with an error; the key is no lock of ours (WRONGTYPE)
     * @throws ValueError as for lock()
     */
    public function holder(string $name): ?array {}

    /**
     * How many wait for the lock now.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return int 0 or more
     * @throws RedisLockException Redis cannot be reached, or answered with an error
     * @throws ValueError as for lock()
     */
    public function waiters(string $name): int {}

    /**
     * Takes the lock away from whoever holds it, and hands it to a waiter.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return bool false: nobody held it
     * @throws RedisLockException the outcome is unknown, or the server answered with an error
     * @throws ValueError as for lock()
     */
    public function forceUnlock(string $name): bool {}

    /**
     * Adopts a lock that was taken elsewhere (in a web request, for its queue job), if $token still holds it.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @param string $token what token() or detach() returned there
     * @param bool|null $renew whether the lease is renewed, as for lock(); it is set to the option `expire` for that; null:
     *     the option `renew`
     * @return bool false: $token does not hold the lock
     * @throws RedisLockException Redis cannot be reached, or answered with an error; the lease cannot be renewed
     * @throws ValueError $token is empty or too long; $name and $renew as for lock()
     */
    public function attach(string $name, #[\SensitiveParameter] string $token, ?bool $renew = null): bool {}

    /**
     * Stops owning the lock without releasing it. Without a round trip: a renewal that is under way is not waited for, and
     * may make the lease longer once more.
     *
     * @param string $name any bytes, 1 to 65 535 of them
     * @return string|null the owner token, for attach(); null when this object does not hold the lock
     * @throws ValueError as for lock()
     */
    public function detach(string $name): ?string {}

    /**
     * Says what this process (with ZTS: thread) works on now, a job or a route, until it says something else or the request
     * ends. Locks that are taken or waited for from then on tell it behind the host and the pid, in place of the script's name,
     * unless the option `owner` was given. It is cut to fit, and what cannot be printed becomes a `?`.
     *
     * @param string|null $what null: back to the default
     */
    public static function describe(?string $what): void {}

    /**
     * What all objects of this process (with ZTS: thread) did since it started.
     *
     * @return array acquired, contended (calls that found the lock held), waited (seconds, all waits together),
     *     timed_out, passed_on (to another process of this machine), taken_over (from one that was killed), released, unreleased (releases that failed, so that
     *     the lock may have stayed), lost, renewed (leases, each time), renewal_failures (tries that had no good answer), lost_while_held (leases that ended or were taken
     *     away while they were to be renewed), connections, reconnects, script_reloads, bytes_sent, bytes_received
     * @phpstan-return array<string, int|float>
     */
    public static function stats(): array {}

    /**
     * What became of locks so far, by groups of their names: in this process, and in all processes of its user that see the
     * same shared memory. Those numbers outlive the processes. Asks no server.
     *
     * @param int|null $user the number of another user, whose numbers only he and root may read; null: the one of this process
     * @return array user; bounds (seconds: the ends of the histograms' buckets, of which the last one has none); process,
     *     null: it has counted nothing; machine, null: nobody has, or the numbers cannot be read; problem, null: there is none.
     *     The two have connections, reconnects, script_reloads, errors (by kind) and groups, each with acquired, released,
     *     waited (acquired, but held by another at first); of what was not acquired: timed_out, held (and nobody waited), full,
     *     failed, interrupted; unreleased, lost (when it was released or extended), lost_while_held, renewed, renewal_failures;
     *     of remember() and once(): value_fresh, value_stale, value_built, value_none; and wait and hold, each with sum
     *     (seconds) and counts (of the buckets)
     * @phpstan-return array{user: int, bounds: array<float>, process: array<string, mixed>|null, machine: array<string, mixed>|null, problem: ?string}
     * @throws ValueError $user is no number of a user
     */
    public static function metrics(?int $user = null): array {}
}
