/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_terms: how a lease is renewed or watched, and what becomes of it: the words that holders and the renewing
 * thread share.
 */
#ifndef REDISLOCK_LOCK_RENEWAL_TERMS_H
#define REDISLOCK_LOCK_RENEWAL_TERMS_H

#include "lock/lease.h"

/* The thread, and the leases that it renews. */
typedef struct lock_renewer lock_renewer;

/* One lease that is renewed. */
typedef struct lock_renewal lock_renewal;

/* Counts what became of renewals. All zero at first. The renewer changes them under a lock of its own: they are read by
 * lock_renewal_counts(). */
typedef struct lock_renewal_stats {
    uint64_t renewed;         /* leases that were made longer, each time */
    uint64_t failures;        /* times that a lease was not made longer since a server gave no good answer */
    uint64_t lost_while_held; /* leases that were lost before lock_renewal_end() */
} lock_renewal_stats;

typedef enum lock_renewal_state {
    LOCK_RENEWAL_ON,      /* the lease is renewed */
    LOCK_RENEWAL_REFUSED, /* lost: the server says that the token does not own the lock any more */
    LOCK_RENEWAL_ENDED,   /* lost: the lease ended before it could be renewed */
    LOCK_RENEWAL_BROKEN,  /* lost, in effect: the process has no memory left to renew it; it ends when it ends */
    LOCK_RENEWAL_TOO_LONG /* the lock is held for too long; the lease is no longer renewed, and ends when it ends */
} lock_renewal_state;

/* What a holder is told while it works. */
typedef enum lock_notice {
    LOCK_NOTICE_LOSS = 1,    /* the lease is lost, or was not renewed in time and is nearly over */
    LOCK_NOTICE_TOO_LONG = 2 /* the lock is held for too long; the lease is no longer renewed */
} lock_notice;

/* How a lease is to be renewed, and what its holder is told. */
typedef struct lock_renewal_terms {
    int64_t hold_until;        /* a time from which on it is no longer renewed; PLATFORM_NEVER: there is none */
    lock_renewal_stats *stats; /* never NULL; may be shared, and must stay until the renewal has ended */
    int64_t margin;            /* how long before its end a holder is told of a lease that was not renewed; 0: it is not
                                * told of losses */
    /* Called when there is a notice, by the renewing thread or by one that reads; must neither wait nor fail. NULL: there are
     * no notices. Never called behind lock_renewal_end(). */
    void (*on_notice)(void *arg);
    void *arg;
} lock_renewal_terms;

#endif
