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

#include "lock/client.h"
#include "lock/extend.h"
#include "lock/lease.h"
#include "lock/release.h"

/* Takes the lock `name`, waiting up to `timeout` for it (0: not at all). `token` is the owner token, or NULL for a
 * random one. On LOCK_YES `lease` is filled, on LOCK_BUSY `refusal`, which may be NULL. A lock that reaches too few
 * replicas is given back: LOCK_FAILED. */
lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, lock_refusal *refusal, rl_error *error);

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

/* Counts the waiters for the lock: those in Redis' line, and those of this machine that wait behind the one there. */
lock_outcome lock_waiters(const lock_client *client, rl_bytes name, int64_t *waiters, rl_error *error);

/* Takes the lock away from its holder, whoever that is, and hands it on. LOCK_NOT_OWNED: nobody held it. */
lock_outcome lock_force_release(const lock_client *client, rl_bytes name, rl_error *error);

#endif
