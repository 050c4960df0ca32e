<?php

return [

    /*
     * Where the class RedisLock and its facade lock: a connection of config/database.php, under 'redis'. The cache
     * store `redislock` has connections of its own, in config/cache.php.
     */
    'connection' => env('REDISLOCK_CONNECTION', 'default'),

    /*
     * Instead of a connection: a server, e.g. 'redis-sentinel://sentinel-1,sentinel-2,sentinel-3/mymaster', or an array of
     * several for a Redlock. For the class and the facade: the store's entry in config/cache.php may have a 'server' too.
     */
    'server' => env('REDISLOCK_SERVER'),

    /*
     * The login at the sentinels of such a 'server', and whether they are reached by TLS; null: no login, and TLS as for
     * the master. Also for a 'server' of the store.
     */
    'sentinel_username' => env('REDISLOCK_SENTINEL_USERNAME'),
    'sentinel_password' => env('REDISLOCK_SENTINEL_PASSWORD'),
    'sentinel_tls' => env('REDISLOCK_SENTINEL_TLS'),

    /* Before every name of the class and the facade, behind the connection's own prefix. */
    'prefix' => env('REDISLOCK_PREFIX', 'lock:'),

    /* Seconds of lease and of waiting, where a call of the class or the facade gives none. */
    'expire' => 30,
    'timeout' => 0,

    /*
     * Whether leases are renewed in the background, for as long as the process lives and holds the lock. Then 3 to 5
     * seconds of lease are enough: a holder that is killed keeps the others waiting for no longer. Also for the store,
     * unless config/cache.php says otherwise there. It needs the extension: see 'fallback'.
     */
    'renew' => env('REDISLOCK_RENEW', false),

    /* Seconds for which the lease of one lock is renewed at most; null: as php.ini says, else 3600. Also for the store. */
    'max_hold' => null,

    /*
     * What happens when a lock is lost, or nearly, while its section runs: 'flag': nothing, whoever wants to know asks;
     * 'throw': a RedisLockLostException is thrown into the code that runs. Also for the store.
     */
    'on_loss' => 'flag',

    /* Whether the class and the facade give fencing tokens. */
    'fencing' => false,

    /* With so many queued for one name, the next one is refused at once; 0: no limit. Also for the store. */
    'max_waiters' => 0,

    /* How many replicas must have a lock before it counts; null: as php.ini says, else none. Also for the store. */
    'replicas' => null,

    /* Whether the workers of a machine pass locks on to each other; null: as php.ini says, else not. Also for the store. */
    'local' => null,

    /*
     * With `local`: whether the lock of a worker that was killed goes at once to the next one on its machine, although what the
     * killed one has begun, in a database say, may go on. Also for the store.
     */
    'takeover' => false,

    /*
     * What `redislock ls` and holder() say of who holds a lock; '': nothing; null: as php.ini says, else the host, the pid and
     * the job, route or command. Also for the store.
     */
    'owner' => null,

    /*
     * Seconds from which on a wait, or the time for which a lock was held, is written to PHP's error log; null: as php.ini
     * says, else never. Also for the store.
     */
    'slow_wait' => null,
    'slow_hold' => null,

    /*
     * Hears when locks are acquired, waited for, lost and released: what the container knows by this name, a logger as 'log', or
     * a class with __invoke(); null: nobody. Also for the store.
     */
    'listener' => null,

    /* Seconds between looks at a lock that a client of another kind holds. Also for the store. */
    'retry_interval' => 0.1,

    /* Seconds to connect and to answer; null: as the connection says, else 1. Also for the store. */
    'connect_timeout' => null,
    'read_timeout' => null,

    /*
     * What RedisLock's synchronized() does inside of an open transaction of the default database connection, where the
     * lock would be released before the commit: 'throw' or 'allow'.
     */
    'in_transaction' => 'throw',

    /*
     * Where the extension is missing: true: the store uses Laravel's own lock and logs that once; false: it throws. It
     * throws too where leases are to be renewed, since Laravel's own lock would let them end.
     */
    'fallback' => true,

];
