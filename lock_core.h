/* SPDX-License-Identifier: MIT
 *
 * lock_core: a lease lock on Redis: acquire, release, extend, and query who holds it.
 *
 * The lock is a string key. Its value is the owner token, and its time to live is the lease. That is the lock of the
 * Redis documentation ("Distributed Locks with Redis", one instance), but waiting for it is different: a release hands
 * the lock to the client that has been blocked on a list longest. See lua/ for what each step does in Redis.
 *
 * Nothing here depends on PHP. Times are µs of platform_now(), spans are µs; PLATFORM_NEVER is without end.
 */
#ifndef REDISLOCK_LOCK_CORE_H
#define REDISLOCK_LOCK_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/metrics.h"
#include "redis/error.h"
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
} lock_stats;

/* Identifies the extensions of one process, or thread. An extension whose reply was lost may arrive late, and must
 * not undo one that was requested after it: see lua/inc/extend.lua. All zero at first. */
typedef struct lock_extensions {
    char source[LOCK_SOURCE_LEN]; /* random id of the process or thread that extends */
    int64_t process;              /* the process that drew `source`; a forked child draws its own */
    int64_t doubt_until;          /* until then an extension without a reply may be under way; 0: there was none */
} lock_extensions;

/* One extension, as it is passed to the scripts. */
typedef struct lock_extension {
    rl_bytes source; /* lock_extensions.source */
    int64_t at;      /* when it was first requested: a repeat has the same */
    bool doubts;     /* an earlier extension, whose reply was lost, may still arrive */
} lock_extension;

/* Why a lock was not acquired, according to the last reply. */
typedef struct lock_refusal {
    int64_t waiting; /* number of other waiters; 0 also where no reply told it */
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
    bool renews;            /* what is taken is renewed then: of this too tokens tell where there is an owner */
    int64_t retry_interval; /* µs between looks at a foreign holder, whose release sends no signal */
    int64_t max_waiters;    /* 0: no limit */
    bool fencing;
    int64_t replicas; /* that must have a lease before it counts: see lock/replicas.h; 0 with several servers */
    int64_t spent;    /* µs of the call's time budget that were over when this client was asked; mostly 0 */
    lock_extensions *extensions; /* never NULL; shared by the clients of a process or thread */
    lock_stats *stats;           /* never NULL; may be shared */
    metrics_writer *metrics;     /* NULL: only `stats` count */
    const lock_slow_terms *slow; /* NULL: nobody is told */
    unsigned group;              /* in which the metrics count these locks; 0: in that of each lock's name */
    lock_refusal *refusal;       /* NULL, or filled by lock_acquire() with LOCK_BUSY */
} lock_client;

/* A lock that was taken, as far as its owner knows. lock_lease_free() frees the token. */
typedef struct lock_lease {
    char *token;
    size_t token_len;
    int64_t sent;        /* time just before the command that acquired or extended the lock was sent */
    int64_t duration;    /* µs from `sent` on; PLATFORM_NEVER: without end */
    int64_t fence;       /* fencing token; 0 where there is none */
    int64_t acquired_at; /* when the answer came that filled the lease; 0: another process acquired it */
    int64_t
        server_expires_by; /* time until which Redis may keep the lock, unanswered extensions included; 0: unknown */
    int64_t
        release_requested_at; /* when the release was first requested, which ends the lease for its owner; 0: not yet */
    int64_t longest;          /* µs: the longest duration that Redis was asked for, whether it has answered or not */
    bool is_noted;            /* an extension may have left a note beside the lock: see lock_lease_may_have_note() */
    bool release_unsent;      /* the release was requested but sent to no server: see lock_release_mark_unsent() */
    bool is_drawn;            /* the token was drawn here, and no caller knows it: nobody else takes a lock with it */
    bool makes_baton;         /* the token is known to be as lock_token_makes_baton() asks, since it was drawn here */
    bool has_slot;            /* it was taken in a cluster: `slot` is that of its key */
    unsigned char group;      /* in which the metrics count the lock; 0: not known yet */
    unsigned slot;            /* for the release, which need not compute it again */
    unsigned spared;          /* a bit for each server that was never asked for the lock: it is not there */
    unsigned unheard;         /* and for each that was asked and has not answered: it may have taken the lock late */
} lock_lease;

typedef enum lock_outcome {
    LOCK_YES,
    LOCK_BUSY,        /* from calls that acquire: another owner holds the lock, or one of the locks */
    LOCK_NOT_OWNED,   /* from all other calls: the token does not own the lock, or, without a token, nobody does */
    LOCK_LATE,        /* it was acquired, but the reply came when the lease was over; it was given back */
    LOCK_FAILED,      /* the error says why; error.kind tells whether the outcome is unknown */
    LOCK_INTERRUPTED, /* the hook ended the call */
} lock_outcome;

/* Returns the validity of the lease that is left at `now`, in µs: the lease less 1 % and 2 ms for clock drift, as in
 * Redlock. 0 when it is over or its release was requested, PLATFORM_NEVER when it does not end. */
int64_t lock_lease_validity(const lock_lease *lease, int64_t now);

/* Fills `lease` for a lock that Redis has just confirmed to be this token's, and copies the token. For `sent` and
 * `duration` see lock_lease_set(). */
void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t sent, int64_t duration, int64_t fence);

/* Sets the lease to count for `duration` from `sent` on, as Redis has just confirmed. */
void lock_lease_set(lock_lease *lease, int64_t sent, int64_t duration);

/* The slot of the lock's key where the servers are a cluster, else 0: computed unless the lease tells. */
static inline unsigned lock_lease_slot(const lock_lease *lease, const lock_client *client, rl_bytes key)
{
    return lease->has_slot ? lease->slot : rl_target_slot(&client->target, key);
}

/* May a note of extensions stand beside the lock, as far as the lease and the client know? It is to go with the lock. */
bool lock_lease_may_have_note(const lock_lease *lease, const lock_client *client);

/* By how many ms whoever counts on a lease that another one has set moves its end: as in lua/inc/mark.lua. */
#define LOCK_MARK_MS 5

/* Returns until when Redis may keep a lock whose lease of `duration` it has set by `now`: by our clock, from which its own
 * differs by as much as lock_lease_validity() allows for. The end may have been marked. */
int64_t lock_lease_ends_by(int64_t now, int64_t duration);

/* Returns for how many µs Redis may still keep a lock whose release has failed; PLATFORM_NEVER where the lease does
 * not end. */
int64_t lock_lease_server_remaining(const lock_lease *lease, int64_t now);

void lock_lease_free(lock_lease *lease);

/* Takes the lock `name`, waiting up to `timeout` for it (0: not at all). `token` is the owner token, or NULL for a
 * random one. On LOCK_YES `lease` is filled. A lock that reaches too few replicas is given back: LOCK_FAILED. */
lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, rl_error *error);

/* Releases the lock of `lease` and hands it to the next waiter. From the call on, the lease counts as over.
 * LOCK_NOT_OWNED: the token did not own the lock any more. The release may have to be repeated because its reply was
 * lost, in this call or by another call for the same lease. A repeat that finds the token gone counts as done if the
 * lease still ran when its release was first requested. Takes no longer than `budget`.
 *
 * After LOCK_FAILED the release is in the pool's backlog. It is sent again when the server is reached, as long as
 * Redis may keep the lock. */
lock_outcome lock_release(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, rl_error *error);

/* Notes that a release was requested, but could not be sent since the server to ask is not known. The lease counts as
 * over from now on. A later lock_release() counts as the first one, as nothing was sent. */
void lock_release_mark_unsent(lock_lease *lease);

/* One of many locks to release. */
typedef struct lock_release_item {
    rl_bytes name;
    lock_lease *lease;
    lock_outcome outcome; /* filled by lock_release_all() */
} lock_release_item;

/* The releases that failed, of many. */
typedef struct lock_release_failures {
    size_t count;
    size_t repeated;        /* how many of them are in the backlog, which has room for so many only */
    lock_release_item last; /* the one that was first requested last; .name.at is NULL: none has failed */
    rl_error error;         /* why that failed */
} lock_release_failures;

/* Releases all items, LOCK_RELEASE_BATCH of them in one round trip. `budget` is how long it goes on without an answer:
 * it starts anew with each batch that is answered. So a server that goes on to answer releases them all, and from one
 * that falls silent the call returns in time: what is left is not sent then, but goes to the backlog as far as there is
 * room. `until` is a time at which the call ends in any case; PLATFORM_NEVER: there is none.
 *
 * With a budget of 0, and when `until` has come, one more batch is sent, but nobody waits for the replies: the outcomes
 * are LOCK_FAILED. With a budget below 0 none is sent. */
void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget, int64_t until,
                      lock_release_failures *failures);

#define LOCK_RELEASE_BATCH 1000 /* locks: it keeps Redis busy for some milliseconds */

/* Puts the release into the pool's backlog without sending it now: after a failure that shows that no server would
 * answer. */
void lock_release_later(const lock_client *client, rl_bytes name, lock_lease *lease);

/* Does the same for a token under which a request without a reply may have taken the lock, for `duration`. The token
 * must not be used again. `is_drawn`: it was drawn here; otherwise it is the caller's, who may pass it to another call. */
void lock_release_token_later(const lock_client *client, rl_bytes name, rl_bytes token, bool is_drawn,
                              int64_t duration);

/* Sets the remaining lease to `duration` from now. Until the reply comes, and if it never comes, `lease` is the
 * shorter one of old and new. An extension that arrives behind a later one of this process is not carried out.
 * LOCK_NOT_OWNED: the token does not own the lock any more. LOCK_FAILED also where the extension was carried out, but
 * reached too few replicas. Takes no longer than `budget`. */
lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration, int64_t budget,
                         rl_error *error);

/* Returns what a script needs to know of an extension that is requested now. */
lock_extension lock_extension_begin(const lock_client *client);

/* Notes that the reply to an extension was lost. */
void lock_extension_doubt(lock_extensions *extensions);

/* Returns whether an extension of this process, whose reply was lost, may still arrive. */
bool lock_extension_is_doubted(const lock_client *client);

/* Queries who holds the lock. LOCK_YES: `holder` is filled like a lease that this call has acquired. LOCK_NOT_OWNED:
 * nobody holds the lock. A key of that name that is no lock gives LOCK_FAILED, with the error reply WRONGTYPE. */
lock_outcome lock_holder(const lock_client *client, rl_bytes name, lock_lease *holder, rl_error *error);

/* The same, and counts the waiters for a lock that is held. In a cluster, nobody stands in line while the lock's slot moves:
 * then none are counted. */
lock_outcome lock_inspect(const lock_client *client, rl_bytes name, lock_lease *holder, int64_t *waiters,
                          rl_error *error);

/* Queries whether the token holds the lock, for a caller that goes on to count on its lease, which is marked for that: see
 * lua/inc/mark.lua. LOCK_YES: `lease` is filled as by lock_holder(). LOCK_NOT_OWNED: the token does not hold the lock. */
lock_outcome lock_adopt(const lock_client *client, rl_bytes name, rl_bytes token, lock_lease *lease, rl_error *error);

/* Counts the waiters for the lock. */
lock_outcome lock_waiters(const lock_client *client, rl_bytes name, int64_t *waiters, rl_error *error);

/* Takes the lock away from its holder, whoever that is, and hands it on. LOCK_NOT_OWNED: nobody held it. */
lock_outcome lock_force_release(const lock_client *client, rl_bytes name, rl_error *error);

/* Returns the time that a call without a timeout of its own may take, or what is left of it. */
int64_t lock_budget(const lock_client *client);

#endif
