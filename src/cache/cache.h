/* SPDX-License-Identifier: MIT
 *
 * cache/cache: a value that one client builds while all others wait for it.
 *
 * The value stands beside a lock, on one server. A client that finds no value, or one past its end, takes the lock and
 * builds it. The others wait. When the value is there, all of them are woken; when the lock comes free without it, only
 * the one that came first. See lua/cache_fetch.lua.
 */
#ifndef REDISLOCK_CACHE_CACHE_H
#define REDISLOCK_CACHE_CACHE_H

#include "lock/lease.h"
#include "redis/request.h"

#define CACHE_MAX_VALUE 1000000 /* bytes; a reply that brings it is not much longer, see RL_MAX_REPLY_BYTES */

typedef enum cache_outcome {
    CACHE_FRESH,       /* the answer has the value */
    CACHE_STALE,       /* the answer has a value past its end; another client builds a new one */
    CACHE_TURN,        /* the caller is to build the value, under the lock that it has acquired */
    CACHE_BUILT,       /* of a value that is kept elsewhere: another client has built it meanwhile */
    CACHE_NONE,        /* another client builds the value, and it was not there in time, or too many wait for it */
    CACHE_FAILED,      /* the error says why */
    CACHE_INTERRUPTED, /* the hook ended the call */
} cache_outcome;

/* What cache_fetch() is to ask for. */
typedef struct cache_fetch_params {
    rl_bytes name;
    bool kept_here;   /* the value is kept beside the lock; otherwise the caller keeps it, and only takes turns here */
    int64_t stale;    /* how long past its end the value will do while a new one is built; PLATFORM_NEVER: always */
    int64_t duration; /* of the lock's lease, if the caller is to build the value */
    int64_t timeout;  /* for waiting; 0: not at all */
} cache_fetch_params;

typedef struct cache_answer {
    char *value;      /* with CACHE_FRESH and CACHE_STALE; freed by the caller */
    size_t value_len; /* bytes of `value` */
    lock_lease lease; /* with CACHE_TURN */
    bool full;        /* with CACHE_NONE: too many wait for the value already */
    rl_error error;   /* with CACHE_FAILED and CACHE_INTERRUPTED */
} cache_answer;

/* Asks for the value, and waits for it if need be. Uses the first of the client's servers. */
cache_outcome cache_fetch(const lock_client *client, const cache_fetch_params *params, cache_answer *answer);

/* A value that was built, of CACHE_MAX_VALUE bytes at most behind a byte of the caller's own, by which it tells what they are.
 * Spans are µs, or PLATFORM_NEVER. */
typedef struct cache_value {
    rl_bytes bytes;
    int64_t fresh; /* span until its end; more than 0 */
    int64_t stale; /* span for which it is kept past its end */
} cache_value;

/* Keeps the value (NULL: the caller has kept it), wakes all waiters for it, and releases the lock. LOCK_NOT_OWNED:
 * the lock was not this lease's any more, and nothing was done. LOCK_FAILED with RL_ERROR_REPLY: the server refused,
 * and the caller is to release the lock. LOCK_FAILED otherwise: the outcome is unknown, and the lock is released
 * later, see lock_release_later(). A caller that fails to build the value calls lock_release() instead. */
lock_outcome cache_store(const lock_client *client, rl_bytes name, lock_lease *lease, const cache_value *value,
                         rl_error *error);

/* Removes the value; one that is being built at that moment will not be kept. LOCK_NOT_OWNED: there was none. With
 * `only`, removes the value only if it equals that one, and does not touch one that is being built. */
lock_outcome cache_forget(const lock_client *client, rl_bytes name, const rl_bytes *only, rl_error *error);

#endif
