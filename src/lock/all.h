/* SPDX-License-Identifier: MIT
 *
 * lock/all: many locks at once, all or none.
 *
 * On one server, one script takes them all. Who waits takes them in one order for everybody, that of their bytes, and
 * waits in line for the first that is held while it keeps those before it: so no two can wait for each other.
 */
#ifndef REDISLOCK_LOCK_ALL_H
#define REDISLOCK_LOCK_ALL_H

#include "lock_core.h"
#include "redis/request.h"

#define LOCK_ALL_MAX 1000 /* so that a script over them takes Redis some milliseconds at most */

/* One of many locks. */
typedef struct lock_all_item {
    rl_bytes name;
    lock_lease lease; /* filled on LOCK_YES */
} lock_all_item;

/* Takes all of these locks, each with a random token, or none, waiting up to `timeout` for all of them together (0: not
 * at all). They are sorted on the way. No name may stand there twice; `count` is 1 to LOCK_ALL_MAX.
 *
 * While it waits, a lease of those that it has so far is set anew when half of it is over, and its place in the line
 * for the next is lost then. Before it ends with LOCK_YES, it looks at all of them once more; when one was lost meanwhile,
 * it gives the others back and begins again. Then nine tenths of every lease are left at least, as far as round trips
 * allow.
 *
 * Several servers are asked for one lock after another.
 *
 * With LOCK_FAILED, `about` is the number of the item that the error is about, or `count`: about none in particular. */
lock_outcome lock_acquire_all(const lock_client *client, lock_all_item *items, size_t count, int64_t duration,
                              int64_t timeout, size_t *about, rl_error *error);

#endif
