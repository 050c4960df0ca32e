/* SPDX-License-Identifier: MIT
 *
 * notice: how the code of a client is told of leases that are renewed or watched, while it works: see
 * src/php/redislock/notice.c.
 */
#ifndef SIM_NOTICE_H
#define SIM_NOTICE_H

#include "client.h"

/* How the holder of one renewal is told, and what is known of it. Lives as long as the world. */
struct sim_notice {
    sim_client *client;
    int lock;
    lock_renewal *renewal; /* NULL: it has not begun, or has ended */
    int64_t settled_at;    /* true time at which an answer became known last, or the renewal began */
    int64_t sent;          /* of the lease when the renewal began */
    int64_t duration;
    int64_t margin; /* 0: the holder is not told of losses */
    int64_t hold_until;
    bool stopped;            /* the renewal is about to end: it no longer interrupts */
    bool ended;              /* it has */
    bool reminds;            /* it was asked to interrupt again, so that it may do so twice for the same loss */
    int64_t interrupted_for; /* `sent` of the lease that was lost, or within its margin, when it interrupted; 0: none */
    int64_t told_of;         /* `sent` of the lease of whose loss the holder was told last; 0: none */
    bool is_due;             /* it has interrupted for a loss of which the holder was not told */
    bool gave_too_long;      /* the holder was told that it holds the lock for too long */
    int64_t too_long_for;    /* true time at which the lease was first seen to be no longer renewed; 0: it was not */
};

/* Makes the terms of a renewal that is about to begin, and what its holder is told by. */
lock_renewal_terms notice_terms(sim_client *client, int lock, held_lock *held);

/* It is about to end: what it has to say by now must have been said. */
void notice_stop(held_lock *held);

/* It has ended. What it had to say is withdrawn. */
void notice_ended(sim_client *client, held_lock *held);

/* The client's code comes to a point at which it may be interrupted. */
void notice_look(sim_client *client);

#endif
