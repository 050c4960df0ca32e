/* SPDX-License-Identifier: MIT
 *
 * lock_core: a lease lock on Redis: acquire, release, extend, look who holds it.
 *
 * The lock is a string key that holds its owner's token, and lives for the lease. That is the lock of the Redis
 * documentation ("Distributed Locks with Redis", one instance); new is how it is waited for: a release hands it to
 * the client that has been blocked on a list longest. See lua/ for what each step does in Redis.
 *
 * Nothing here knows PHP. Times are µs of platform_now(), spans are µs; PLATFORM_NEVER is without end.
 */
#ifndef REDISLOCK_LOCK_CORE_H
#define REDISLOCK_LOCK_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/error.h"
#include "redis/pool.h"

#define LOCK_SOURCE_LEN 16 /* hex digits */

#define LOCK_SHORTEST_LEASE (10 * INT64_C(1000)) /* µs: below that, drift and a round trip leave nothing */

/* What calls came to, counted by the clients that share it. */
typedef struct lock_stats {
    uint64_t acquired;
    uint64_t contended; /* calls that found the lock held */
    uint64_t timed_out; /* calls that waited in vain */
    uint64_t released;
    uint64_t unreleased; /* releases that failed; what was not refused for good is sent again */
    uint64_t lost;       /* leases that were no longer ours when they were to be released or extended */
    int64_t waited;      /* µs, all waits together */
} lock_stats;

/* How the extensions of a process, or thread, are told apart: one whose answer was lost may arrive late, and must not undo
 * one that was asked for after it. See lua/inc/extend.lua. All zero at first. */
typedef struct lock_extensions {
    char source[LOCK_SOURCE_LEN]; /* random: who asks */
    int64_t pid;                  /* that asks under this name */
    int64_t doubt_until;          /* until then one may be under way whose answer was lost */
} lock_extensions;

/* One of them, as the scripts are told of it. */
typedef struct lock_extension {
    rl_bytes source;
    int64_t at;  /* when it was first asked for */
    bool doubts; /* an earlier one may come late */
} lock_extension;

/* Why a lock was not had: what the last answer told. */
typedef struct lock_refusal {
    int64_t waiting; /* so many others wait for it; 0 also where nobody said */
    bool full;       /* they are as many as may wait */
} lock_refusal;

/* How to reach Redis, and how to behave there. Owned by the caller, not changed by a call. */
typedef struct lock_client {
    rl_pool *pool;
    const rl_endpoint *endpoints;
    size_t count;            /* of endpoints, 1 to RL_MAX_NODES */
    rl_bytes prefix;         /* of every key */
    int64_t connect_timeout; /* µs */
    int64_t read_timeout;    /* µs */
    int64_t node_timeout;    /* µs; of several nodes, so long one that is connected may take to answer */
    int64_t retry_interval;  /* µs between looks at a holder that is none of ours */
    int64_t max_waiters;     /* 0: no limit */
    bool fencing;
    bool *by_script;             /* never NULL: a server was found that takes no lock without a script. Shared like: */
    lock_extensions *extensions; /* never NULL */
    lock_stats *stats;           /* never NULL */
    rl_hook hook;                /* .interrupted may be NULL */
    lock_refusal *refusal;       /* NULL, or filled by lock_acquire() with LOCK_BUSY */
} lock_client;

/* A lock that was taken, as its owner believes it. The token is freed by lock_lease_free(). */
typedef struct lock_lease {
    char *token;
    size_t token_len;
    int64_t sent;       /* before the command that took or extended it was sent */
    int64_t duration;   /* from `sent` on */
    int64_t fence;      /* fencing token; 0 where there is none */
    int64_t kept_until; /* the latest that Redis may keep it, whatever extension was not answered; 0: not known */
    int64_t released;   /* when its release was first asked for, from which on nothing is left of it; 0: not yet */
    bool unasked;       /* but nobody could be asked: see lock_release_unasked() */
} lock_lease;

typedef enum lock_outcome {
    LOCK_YES,
    LOCK_BUSY,        /* of a call that takes locks: another holds one of them */
    LOCK_NOT_OWNED,   /* of the others: it is not this token's any more; where no token is asked about, nobody's */
    LOCK_LATE,        /* it was taken, but the answer came when nothing of the lease was left; it was released */
    LOCK_FAILED,      /* the error says why; error.kind tells whether the outcome is unknown */
    LOCK_INTERRUPTED, /* the hook ended the call */
} lock_outcome;

/* µs of the lease that are surely left at `now`: less 1 % and 2 ms for the drift of clocks, as in Redlock; 0 when it
 * is over or its release was asked for, PLATFORM_NEVER when it does not end. */
int64_t lock_lease_left(const lock_lease *lease, int64_t now);

/* Makes the lease of a lock that Redis has just said to be this token's, of which it takes a copy: see lock_lease_set(). */
void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t sent, int64_t duration, int64_t fence);

/* It counts for `duration` from `sent` on; Redis has just said so. */
void lock_lease_set(lock_lease *lease, int64_t sent, int64_t duration);

/* µs for which Redis may still keep the lock, if its release has failed; PLATFORM_NEVER where it does not end. */
int64_t lock_lease_stays(const lock_lease *lease, int64_t now);

void lock_lease_free(lock_lease *lease);

/* Takes the lock `name`, waiting up to `timeout` for it (0: not at all). `token` is the owner token, or NULL for a
 * random one. On LOCK_YES `lease` is filled. */
lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, rl_error *error);

/* Releases what `lease` says, handing the lock to the next waiter. From now on nothing of the lease is left.
 * LOCK_NOT_OWNED: it was not this token's any more. A release that had to be repeated because its reply was lost, in this
 * call or by another one for the same lease, and then finds the token gone, counts as done if the lease still ran when it
 * was first asked for. Takes no longer than `budget`.
 *
 * After LOCK_FAILED the release is in the pool's backlog, and sent again when the server is reached, as long as Redis may
 * keep the lock. */
lock_outcome lock_release(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, rl_error *error);

/* It was to be released, and it is not known where: from now on nothing of the lease is left. Nothing was sent, so a later
 * lock_release() of it is the first. */
void lock_release_unasked(lock_lease *lease);

/* One of many locks to release. */
typedef struct lock_release_item {
    rl_bytes name;
    lock_lease *lease;
    lock_outcome outcome; /* filled; with LOCK_FAILED goes: */
    rl_error error;
} lock_release_item;

/* Releases all of them in one round trip. With a budget of 0 they are sent, and not waited for: LOCK_FAILED. */
void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget);

/* Leaves the release to the pool's backlog, without asking now: after a failure that tells that nobody would answer. */
void lock_release_later(const lock_client *client, rl_bytes name, lock_lease *lease);

/* Sets the remaining lease to `duration` from now. While the answer is out, and when it never comes, `lease` is the
 * shorter of old and new. One that arrives after a later one of this process was asked for is not carried out.
 * LOCK_NOT_OWNED: it is not this token's any more. */
lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration,
                         rl_error *error);

/* What a script is told of an extension that is asked for now, and that an answer to it was lost. */
lock_extension lock_extension_begin(const lock_client *client);
void lock_extension_doubt(const lock_client *client);

/* May an extension of this process still arrive whose answer was lost? */
bool lock_extension_is_doubted(const lock_client *client);

/* Who holds the lock. LOCK_YES: `holder` is filled like a lease of this call's; LOCK_NOT_OWNED: nobody does. A key of that
 * name that is no lock is an error reply of WRONGTYPE. */
lock_outcome lock_holder(const lock_client *client, rl_bytes name, lock_lease *holder, rl_error *error);

/* How many wait for it. */
lock_outcome lock_waiters(const lock_client *client, rl_bytes name, int64_t *waiters, rl_error *error);

/* Takes the lock from whoever holds it and hands it on. LOCK_NOT_OWNED: nobody held it. */
lock_outcome lock_force(const lock_client *client, rl_bytes name, rl_error *error);

/* The time that a call may take which has no timeout of its own. */
int64_t lock_budget(const lock_client *client);

#endif
