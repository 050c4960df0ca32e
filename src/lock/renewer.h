/* SPDX-License-Identifier: MIT
 *
 * lock/renewer: the thread that renews leases, one for each process: its life, and what it does.
 */
#ifndef REDISLOCK_LOCK_RENEWER_H
#define REDISLOCK_LOCK_RENEWER_H

#include "lock/renewal_terms.h"
#include "redis/error.h"
#include "redis/pool.h"

/* Returns a renewer without a lease, which has no thread. Can't fail. */
lock_renewer *lock_renewer_new(void);

/* Ends the thread, if this process has it, and frees the renewer. The thread waits for no server, so this takes no
 * longer whatever state a server is in. Every renewal has ended. */
void lock_renewer_free(lock_renewer *renewer);

/* Adds up what the connections of the thread have done so far. */
rl_traffic lock_renewer_traffic(lock_renewer *renewer);

/* Starts the thread if there is none: under the mutex. Returns false, with the error set, if it cannot. */
bool renewer_start(lock_renewer *renewer, rl_error *error);

/* Wakes the thread if it would sleep for longer than until `when`: under the mutex. */
void renewer_wake_for(lock_renewer *renewer, int64_t when);

#endif
