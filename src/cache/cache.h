/* SPDX-License-Identifier: MIT
 *
 * cache/cache: a value that one client builds while all others wait for it.
 *
 * The value stands beside a lock, on one server. Who finds no value, or one past its end, takes the lock and builds it;
 * the others wait: all of them are woken when the value is there, and the one that came first when the lock came free
 * without it. See lua/cache_fetch.lua.
 */
#ifndef REDISLOCK_CACHE_CACHE_H
#define REDISLOCK_CACHE_CACHE_H

#include "lock_core.h"
#include "redis/request.h"

#define CACHE_MAX_VALUE 1000000 /* bytes; a reply is not much longer */

typedef enum cache_outcome {
    CACHE_FRESH,       /* the value */
    CACHE_STALE,       /* the value, past its end; somebody builds a new one */
    CACHE_TURN,        /* the caller is to build it, under the lock that it has now */
    CACHE_BUILT,       /* of a value that is kept elsewhere: it has been built meanwhile */
    CACHE_NONE,        /* somebody else builds it, and it was not there in time, or too many wait for it */
    CACHE_FAILED,      /* the error says why */
    CACHE_INTERRUPTED, /* the hook ended the call */
} cache_outcome;

/* What to ask for. */
typedef struct cache_question {
    rl_bytes name;
    bool kept_here;   /* the value is kept beside the lock; otherwise the caller keeps it, and only takes turns here */
    int64_t stale;    /* for so long past its end it will do where somebody builds a new one; PLATFORM_NEVER: always */
    int64_t duration; /* the lease of the lock, for who builds it */
    int64_t timeout;  /* for waiting; 0: not at all */
} cache_question;

typedef struct cache_answer {
    char *value; /* with CACHE_FRESH and CACHE_STALE; freed by the caller */
    size_t value_len;
    lock_lease lease; /* with CACHE_TURN */
    bool full;        /* with CACHE_NONE: too many wait for it already */
    rl_error error;
} cache_answer;

/* Asks, and waits if need be. Uses the first of the client's servers. */
cache_outcome cache_fetch(const lock_client *client, const cache_question *question, cache_answer *answer);

/* A value that was built, of CACHE_MAX_VALUE bytes at most. Spans are µs, or PLATFORM_NEVER. */
typedef struct cache_value {
    rl_bytes bytes;
    int64_t fresh; /* until its end; more than 0 */
    int64_t stale; /* for which it stays past that */
} cache_value;

/* Keeps the value (NULL: the caller has kept it), wakes all who wait for it, and releases the lock. LOCK_NOT_OWNED: the
 * lock was not this lease's any more, and nothing was done. LOCK_FAILED: the server refused, and the lock is still held;
 * or nobody knows, and the lock is released later, see lock_release_later(). A caller that fails to build the value calls
 * lock_release() instead. */
lock_outcome cache_store(const lock_client *client, rl_bytes name, lock_lease *lease, const cache_value *value,
                         rl_error *error);

/* Removes the value; one that is being built just now will not be kept. LOCK_NOT_OWNED: there was none. With `only`, the
 * value is removed if it is that one, and what is being built is none of its business. */
lock_outcome cache_forget(const lock_client *client, rl_bytes name, const rl_bytes *only, rl_error *error);

#endif
