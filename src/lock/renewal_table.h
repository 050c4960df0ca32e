/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_table: the table of the leases that are renewed, as the holders' threads and the renewing thread share it.
 *
 * Two mutexes guard it. `mutex` is held for a moment only, by any thread, and never while it sends, waits or allocates
 * much. `gate` is held by the renewing thread all the time except while it sleeps. A fork takes both: so the child finds
 * the table whole, and no lock of the C library or of OpenSSL taken by a thread that it does not have. Whoever takes
 * both takes the gate first.
 */
#ifndef REDISLOCK_LOCK_RENEWAL_TABLE_H
#define REDISLOCK_LOCK_RENEWAL_TABLE_H

#include "heap.h"
#include "lock/batch_size.h"
#include "lock/ends.h"
#include "lock/renewal_terms.h"
#include "platform/atomics.h"
#include "redis/session.h"
#include "platform/threads.h"

/* A lease is due when a third of it is over. */
#define RENEWAL_DUE_PART 3

#define BATCH_ARGS_EACH 6 /* arguments for one lease, without its end: see lua/renew.lua */

typedef enum renewal_stage {
    RENEWAL_SCHEDULED, /* waits for its time */
    RENEWAL_IN_BATCH,  /* a request for it is under way, or about to be sent */
    RENEWAL_IDLE,      /* neither, and it is no longer renewed */
} renewal_stage;

/* The servers of leases, and their leases. */
typedef struct renewal_group renewal_group;

struct lock_renewal {
    /* Published by the renewing thread; the holder's reads it without waiting. */
    atomic_llong sent;              /* as in lock_lease */
    atomic_llong server_expires_by; /* as in lock_lease */
    atomic_int state;               /* lock_renewal_state */
    atomic_uint notices;            /* lock_notice: what the holder is to be told, and was not yet */

    /* These do not change. The bytes stand behind the struct. */
    lock_renewer *renewer;
    renewal_group *group; /* NULL: the lease is only watched */
    int64_t process;      /* of the process that began it */
    int64_t duration;
    lock_renewal_terms terms;
    rl_bytes lock; /* key */
    rl_bytes note; /* key of the note of extensions */
    rl_bytes token;
    rl_bytes lease_ms; /* the duration, as the scripts take it */
    char lease_digits[RL_DIGITS];
    char source[LOCK_SOURCE_LEN];  /* of the client's extensions */
    unsigned slot;                 /* of the lock, in a cluster; 0: there is none */
    const metrics_writer *metrics; /* of the client; NULL: none */
    unsigned metrics_group;        /* of the lock */
    bool doubts;                   /* an extension of before, whose reply was lost, may still arrive */

    /* The renewing thread's. */
    lock_ends ends;
    bool hurries; /* an end has turned out to be too far off, and the next renewal brings it closer */

    /* Under the mutex. */
    lock_renewal_stats *stats; /* NULL: it was ended meanwhile, and what is under way no longer counts */
    renewal_stage stage;
    heap_entry due;        /* when it is renewed next: in the group's schedule, with RENEWAL_SCHEDULED */
    heap_entry notice_due; /* when its holder is to be told that it was not renewed: in the renewer's `notices_due` */
    bool reminds;          /* that is a reminder, too: see lock_renewal_remind() */
    bool stopped;          /* it is not sent again */
    bool unanswered;       /* a request for it had no answer, and may still arrive */
    bool is_abandoned;     /* it was ended while a request was under way: the thread frees it */
};

#define RENEWAL_NODE_SIZE (RL_HOST_SIZE + 8) /* holds the name of any node of a cluster */

/* How many slots that move are kept in mind. They mostly move one by one. */
#define MOVING_SLOTS 8

typedef struct moving_slot {
    unsigned slot;
    int64_t until; /* 0: none */
} moving_slot;

struct renewal_group {
    renewal_group *next; /* does not change while the group is in the list */
    rl_target target;    /* owns the endpoints; does not change */
    char *node; /* of a cluster: it served the keys when their leases began. One that hangs holds up no others */
    rl_destination *map_nodes; /* of a cluster: the nodes that the holders' map knew; NULL: the thread has noted them */
    size_t map_count;

    /* Under the mutex. */
    size_t renewals;    /* that name it */
    heap schedule;      /* when they are due */
    size_t batch_count; /* how many renewals the batch has */
    int64_t settle_by;  /* until when the batch may be under way, for the sake of the next one in the schedule */

    /* The renewing thread's, under the gate. The batch and its arguments do not change while it is under way. */
    lock_renewal *batch[BATCH_MOST];
    rl_bytes args[BATCH_MOST * BATCH_ARGS_EACH + 1];
    char now_digits[RL_DIGITS];
    void *own_args[RL_MAX_NODES]; /* of a node that is told ends; NULL: it has the arguments of all */
    bool is_sent;
    int64_t linger_until; /* for answers that are not needed, but tell ends; 0: no answer is needed but those */
    batch_size size;
    moving_slot moving[MOVING_SLOTS]; /* slots that were seen to move: their leases are renewed one by one */
    unsigned failures;                /* requests without a good answer since the last one with such an answer */
    rl_clock clock;
    rl_session session;
};

struct lock_renewer {
    threads_mutex gate;
    threads_mutex mutex;
    lock_renewer *next; /* in the list of all renewers, for forks */

    /* Under the mutex. */
    threads_condition settled; /* the requests of a batch have been answered, or given up */
    bool running;              /* there is a thread, which is to be joined */
    bool gave_up;              /* it renews nothing any more, and ends */
    bool stopping;             /* it is to end */
    threads_thread thread;
    threads_waker waker;      /* open while it runs */
    int64_t wakes_at;         /* until when it sleeps, unless a server answers */
    size_t watched;           /* renewals whose holders are to be told something */
    heap notices_due;         /* of those */
    renewal_group *groups;    /* the newest one comes first */
    renewal_group *inherited; /* the groups of the parents of this process, which are only freed */
    rl_traffic published;     /* a copy of `traffic` */

    /* The renewing thread's, under the gate. */
    rl_pool pool;
    rl_traffic traffic;
    struct pollfd *interests; /* for sleeping: kept here, so that a forked child can free them */
    rl_conn **conns;
    size_t conns_room;     /* how many connections fit into `conns` */
    size_t interests_room; /* how many interests fit into `interests`, beside those of the waker */
};

/* Returns the renewal that an entry of `renewer->notices_due` is about. */
static inline lock_renewal *renewal_of_notice_due(heap_entry *due)
{
    return (lock_renewal *)((char *)due - offsetof(lock_renewal, notice_due));
}

/* All that follows is called under the mutex. */

/* Returns the renewal of the group that is due first; NULL: there is none. */
lock_renewal *renewal_first_scheduled(const renewal_group *group);

/* Puts the renewal into its group's schedule, for `due_at`. lock_renewal_begin() has made room for every renewal of the
 * group. */
void renewal_schedule(lock_renewal *renewal, int64_t due_at);

/* Takes it out of the schedule. */
void renewal_unschedule(lock_renewal *renewal);

/* Sets when the holder is to be told unless the lease is renewed before; not at all, if it does not want to be told or was
 * told that the lease is lost. */
void renewal_set_notice_due(lock_renewal *renewal);

/* Leaves a notice for the holder, if it is not 0, and lets it know that there is one. */
void renewal_notify(lock_renewal *renewal, unsigned notice);

/* Counts for the metrics of the client. */
void renewal_tally(const lock_renewal *renewal, metrics_count count);

/* Is the lease renewed, or watched, still? */
bool renewal_is_on(const lock_renewal *renewal);

/* Does this state say that the lease is lost? One that is merely no longer renewed is not lost before it ends. */
bool renewal_is_lost(lock_renewal_state state);

/* Ends the renewing in this state, and counts a loss, unless it has ended already. */
void renewal_set_state(lock_renewal *renewal, lock_renewal_state state);

/* The same for a renewal that is neither in the schedule nor in a batch any more. */
void renewal_end_with(lock_renewal *renewal, lock_renewal_state state);

/* Forgets the renewal, and frees it. */
void renewal_forget(lock_renewal *renewal);

/* Returns when a lease that counts from `sent` on is to be renewed. */
int64_t renewal_due_at(const lock_renewal *renewal, int64_t sent);

/* Returns when its validity ends: now, if the holder was told that it has. */
int64_t renewal_ends_at(const lock_renewal *renewal, int64_t now);

/* Returns when the margin begins, also of a lease that is no longer renewed; PLATFORM_NEVER: it has none, or is lost
 * already. */
int64_t renewal_margin_at(const lock_renewal *renewal);

#endif
