/* SPDX-License-Identifier: MIT
 *
 * lock/local/host: this process among those of its user on this machine that pass locks on to each other.
 */
#ifndef REDISLOCK_LOCK_LOCAL_HOST_H
#define REDISLOCK_LOCK_LOCAL_HOST_H

#include "lock/local/layout.h"
#include "platform/presence.h"

/* A place of this process in the segment, and what only its owner knows of it. */
typedef struct lock_turn {
    struct local_host *host;
    atomic_bool is_used; /* also if others have freed its entry, since they took this process for dead */
    unsigned entry, slot;
    uint64_t count;     /* of the uses of the entry */
    uint64_t owner;     /* the word by which the slot names it, if it owns that; without LOCAL_OWNER_CONTENDED */
    bool stood;         /* it stood in line, so that others may have written into its entry */
    bool takes_over;    /* it may take the lock from a holder that is dead, if that one has agreed */
    bool is_takeover;   /* the lock was taken from a dead holder */
    bool is_known;      /* what Redis says to its passing on or takeover is known, or there was none */
    bool ends_by_lease; /* the lease that it has is not renewed */
    int64_t lease;      /* µs: the one that was asked for */
    uint64_t identity[2];

    /* What it was passed on from; and from an heir who did not begin, else heir_len is 0. Of a takeover, the tokens that
     * the dead holder's lock may have; and while it waits, those of a holder that Redis is asked for. */
    uint32_t from_len, heir_len;
    int64_t from_sent, from_duration, sent, since_ms; /* as in local_entry */
    int64_t before; /* the longer one of the leases of those two, if there is an heir */
    char from[LOCAL_TOKEN_MAX], heir[LOCAL_TOKEN_MAX];
} lock_turn;

/* A process that has joined; one that was forked from it has another. */
typedef struct local_host {
    int64_t process;
    local_segment *segment; /* NULL: there is none, for the reason */
    int fd;                 /* of its file */
    unsigned number;        /* of this process: see platform/presence.h */
    bool is_kept;           /* so that others can know that nobody is left of it */
    unsigned long long place[PRESENCE_PLACE];
    char why[SEGMENT_WHY];
    struct local_host *parent;      /* of the process from which this one was forked */
    atomic_uint free_hint;          /* an entry that was free not long ago */
    atomic_llong swept_at;          /* when entries of dead processes were last looked for */
    atomic_llong dropped_at;        /* when that was last done in a line that was full */
    atomic_llong answered_in;       /* µs that Redis took to answer the last renaming; 0: not known */
    lock_turn turns[LOCAL_ENTRIES]; /* those whose entries are in use by this process */
} local_host;

/* The processes of this user: of the whole process, for all of its threads. */
typedef struct lock_local lock_local;

lock_local *lock_local_new(void);
void lock_local_free(lock_local *local);

/* Returns this process, which is platform_process(), among the others; the first time, it opens the segment in the folder.
 * NULL: it can't, or another thread does so just now. */
local_host *lock_local_join(lock_local *local, int64_t process, const char *folder);

/* Returns why locks are not passed on in this process; NULL: they are, or it has not tried to. */
const char *lock_local_problem(const lock_local *local);

/* Is the process of that number there? */
bool local_host_is_alive(const local_host *host, unsigned number);

/* Is it certain that neither the process of that number is there, nor one that was forked from it? */
bool local_host_is_proven_dead(const local_host *host, unsigned number);

/* Frees the entries of processes that have ended, and the slots that these owned. `has_joined`: those of this process' own
 * number too are left from another. But those stay whose locks others may take over: unless room is needed. */
void local_host_sweep(local_host *host, bool has_joined);

#endif
