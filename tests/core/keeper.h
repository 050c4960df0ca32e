/* SPDX-License-Identifier: MIT
 *
 * keeper: a client whose leases a background thread renews, for the tests of that.
 */
#ifndef REDISLOCK_TEST_KEEPER_H
#define REDISLOCK_TEST_KEEPER_H

#include "bed.h"
#include "lock/renewal.h"
#include "lock/renewer.h"

/* ThreadSanitizer knows nothing of threads in a process that another one with threads has forked. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define WITHOUT_FORKS
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define WITHOUT_FORKS
#endif

/* To helgrind and DRD the parent's threads live on in a child, where what they did last races with all that it does. A child
 * ends at once there: it is the parent that they look at. */
#ifdef UNDER_VALGRIND
#define CHILDREN_END_AT_ONCE true
#else
#define CHILDREN_END_AT_ONCE false
#endif

/* A client and its renewer. */
typedef struct keeper {
    client c;
    lock_renewer *renewer;
    lock_renewal_stats stats;
    lock_renewal *renewal; /* of c.lease; NULL: none */
} keeper;

void keeper_open(keeper *k, const char *socket_path);
/* The same with a client of the server of this DSN. */
void keeper_open_dsn(keeper *k, const char *dsn);
/* The same with a client of all servers of the ring. */
void keeper_open_ring(keeper *k, const ring *r);
void keeper_close(keeper *k);
#define KEEPER(k, socket_path)                                                                                         \
    CLOSED_BY(keeper_close) keeper k;                                                                                  \
    keeper_open(&(k), socket_path)
#define RING_KEEPER(k, ring)                                                                                           \
    CLOSED_BY(keeper_close) keeper k;                                                                                  \
    keeper_open_ring(&(k), ring)

/* ---- one lease: that of c.lease ---- */

/* Begins to renew it until `hold` ms from now; 0: without end. */
void keep_for(keeper *k, const char *name, int64_t hold);

/* Takes the lock for `lease` ms and begins to renew it. */
void take_and_keep(keeper *k, const char *name, int64_t lease);

/* Ends the renewal, and waits up to `most` ms, or up to 2 s, for an answer that is under way. */
lock_renewal_state keeper_end_by(keeper *k, int64_t most);
lock_renewal_state keeper_end(keeper *k);

/* Returns the µs of the lease that are left as far as its holder knows. */
int64_t left(keeper *k);
lock_renewal_state state_of(keeper *k);

/* Waits until the renewal is no longer on, `most` ms at most. */
void until_over(keeper *k, int64_t most);

/* Returns what became of renewals, which the thread may be counting at the moment. */
lock_renewal_stats counts_of(keeper *k);

/* Waits until leases were renewed `count` times more than by now, 20 s at most. */
void until_renewed(keeper *k, uint64_t count);

/* Checks that Redis keeps the lock for at least as long as the lease says, and returns the µs which that is. */
int64_t check_belief(server *s, const char *name, const lock_lease *lease);

/* Checks for `span` ms that the holder believes in its lease of the lock "a", and that Redis keeps that for longer. */
void is_kept_for(keeper *k, server *s, int64_t span);

/* ---- many leases ---- */

typedef struct held {
    char name[16];
    lock_lease lease;
    lock_renewal *renewal;
} held;

/* Takes a lock with this name for `lease` ms, and begins to renew it. */
void hold(keeper *k, held *h, const char *name, int64_t lease);

/* Ends the renewal and begins it anew, as if the lease had been taken some time ago: it is due at once. */
void hold_again(keeper *k, held *h);

/* Takes `count` locks, whose names are `name` and a number from 0 on. */
void hold_many(keeper *k, held *all, int count, const char *name, int64_t lease);

lock_renewal_state held_state(held *h);
int64_t held_left(held *h);

/* Ends the renewal, releases the lock, and returns what lock_renewal_end() did. */
lock_renewal_state let_go(keeper *k, held *h);

/* Ends all of them, each of which must be on. */
void let_go_many(keeper *k, held *all, int count);

#endif
