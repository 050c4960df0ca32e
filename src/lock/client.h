/* SPDX-License-Identifier: MIT
 *
 * lock/client: how to reach Redis and how to lock there, as the caller of the core sets it; and what comes of a call.
 *
 * Times are µs of platform_now(), spans are µs; PLATFORM_NEVER is without end.
 */
#ifndef REDISLOCK_LOCK_CLIENT_H
#define REDISLOCK_LOCK_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/metrics.h"
#include "platform/platform.h"
#include "redis/error.h"
#include "redis/session.h"
#include "redis/target.h"

#define LOCK_SOURCE_LEN 16 /* hex digits */

#define LOCK_SHORTEST_LEASE (10 * INT64_C(1000)) /* µs: below that, drift and a round trip leave nothing */

/* Counts the outcomes of calls. Clients that share it add to the same counts. */
typedef struct lock_stats {
    uint64_t acquired;
    uint64_t contended; /* calls that found the lock held */
    uint64_t timed_out; /* calls that waited in vain */
    uint64_t released;
    uint64_t unreleased; /* releases that failed; those that were not refused for good are sent again */
    uint64_t lost;       /* leases that turned out to be lost when they were released or extended */
    uint64_t repeated;   /* tries to acquire that were made again, since the reply to one was lost */
    int64_t waited;      /* µs, the sum of all waits */
    uint64_t passed;     /* locks that were passed on to another process of this machine */
    uint64_t taken_over; /* locks that were taken over from a process of this machine that was killed */
} lock_stats;

/* Identifies the extensions of one process, or thread. An extension whose reply was lost may arrive late, and must
 * not undo one that was requested after it: see lua/inc/extend.lua. All zero at first. */
typedef struct lock_extensions {
    char source[LOCK_SOURCE_LEN]; /* random id of the process or thread that extends */
    int64_t process;              /* the process that drew `source`; a forked child draws its own */
    int64_t doubt_until;          /* until then an extension without a reply may be under way; 0: there was none */
} lock_extensions;

/* Why a lock was not acquired, according to the last reply. */
typedef struct lock_refusal {
    int64_t waiting; /* number of other waiters; 0 also if no reply told it */
    bool full;       /* the queue is full: max_waiters of the client are waiting */
} lock_refusal;

/* What a lock was slow in. */
typedef enum lock_slow {
    LOCK_SLOW_WAIT,    /* to be acquired */
    LOCK_SLOW_IN_VAIN, /* the call has waited for it in vain */
    LOCK_SLOW_HOLD,    /* it was held */
} lock_slow;

/* Who is told of slow locks. */
typedef struct lock_slow_terms {
    int64_t wait, hold; /* µs from which on a wait, or a hold, is slow; PLATFORM_NEVER: none is */
    void (*tell)(void *arg, rl_bytes name, lock_slow what, int64_t span);
    void *arg;
} lock_slow_terms;

/* How to reach Redis, and the settings with which to use it. Owned by the caller; no call changes its fields. */
typedef struct lock_client {
    rl_target target;
    rl_bytes prefix;        /* of every key */
    rl_bytes owner;         /* for people who ask who holds the lock: see lock/owner.h; "": tokens tell nothing */
    bool renews;            /* what is taken is renewed then: of this too tokens tell if there is an owner */
    int64_t retry_interval; /* µs between looks at a foreign holder, whose release sends no signal */
    int64_t max_waiters;    /* 0: no limit */
    bool fencing;
    int64_t replicas; /* that must have a lease before it counts: see lock/replicas.h; 0 with several servers */
    int64_t spent;    /* µs of the call's time budget that were over when this client was asked; mostly 0 */
    lock_extensions *extensions;        /* never NULL; shared by the clients of a process or thread */
    lock_stats *stats;                  /* never NULL; may be shared */
    metrics_writer *metrics;            /* NULL: only `stats` count */
    const lock_slow_terms *slow;        /* NULL: nobody is told */
    const struct lock_pass_terms *pass; /* by which other processes pass locks on to this one; NULL: none does */
    bool settles;                       /* one that is passed on is to be sure before the call returns */
    unsigned group;                     /* in which the metrics count these locks; 0: in that of each lock's name */
} lock_client;

typedef enum lock_outcome {
    LOCK_YES,
    LOCK_BUSY,        /* from calls that acquire: another owner holds the lock, or one of the locks */
    LOCK_NOT_OWNED,   /* from all other calls: the token does not own the lock, or, without a token, nobody does */
    LOCK_LATE,        /* it was acquired, but the reply came when the lease was over; it was given back */
    LOCK_FAILED,      /* the error says why; error.kind tells whether the outcome is unknown */
    LOCK_INTERRUPTED, /* the hook ended the call */
} lock_outcome;

/* What is learned of a connection: see rl_conn_note(). */
enum {
    LOCK_CONN_MAY_DELETE = 1,    /* whoever is logged in there may delete what it locks */
    LOCK_CONN_MAY_LEAVE = 2,     /* and leave the queue */
    LOCK_CONN_LACKS_SET_GET = 4, /* the server takes no SET with NX and GET: Redis before 7.0 */
    LOCK_CONN_SPLITS_MANY = 8,   /* it takes scripts over one lock only: see rl_error_refuses_many_keys() */
};

/* Returns the time that a call without a timeout of its own may take, or what is left of it. */
static inline int64_t lock_budget(const lock_client *client)
{
    int64_t budget = rl_target_budget(&client->target);

    return budget == PLATFORM_NEVER ? budget : platform_later(budget - client->spent, 0);
}

/* Converts milliseconds that a server named, not negative, to a span. What does not fit is PLATFORM_NEVER. */
static inline int64_t lock_span_of_ms(long long ms)
{
    return ms > PLATFORM_NEVER / PLATFORM_MSEC ? PLATFORM_NEVER : ms * PLATFORM_MSEC;
}

#endif
