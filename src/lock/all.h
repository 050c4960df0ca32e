/* SPDX-License-Identifier: MIT
 *
 * lock/all: many locks at once, all or none.
 *
 * On one server, one script takes them all; in a cluster one for each slot, all of them in one round trip. A caller that waits
 * has an order that is the same for everybody: that of their slots, and of the bytes of the names. It waits in line for the
 * first lock that is held, keeps those before it, and has none behind it. So no two callers can wait for each other.
 */
#ifndef REDISLOCK_LOCK_ALL_H
#define REDISLOCK_LOCK_ALL_H

#include "lock/groups.h"

/* Takes all of these locks, each with a random token, or none, waiting up to `timeout` for all of them together (0: not at
 * all). Sorts the items in that order. No name may occur twice; `count` is 1 to LOCK_ALL_MAX.
 *
 * While it waits, the leases of the locks that it has so far are renewed when half of one is over, which costs it its place in
 * the line for the next lock. Before it returns LOCK_YES, it checks all locks once more. If one was lost meanwhile, it gives
 * the others back and begins again. So on success at least nine tenths of every lease are left, as far as round trips allow.
 *
 * With several servers, the locks are taken one after another.
 *
 * With LOCK_FAILED, `about` is the index of the item that the error concerns, or `count` if it concerns none in particular. */
lock_outcome lock_acquire_all(const lock_client *client, lock_all_item *items, size_t count, int64_t duration,
                              int64_t timeout, size_t *about, rl_error *error);

#endif
