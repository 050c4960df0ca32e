/* SPDX-License-Identifier: MIT
 *
 * lock/acquire: takes a lock: tries, waits in line if it is held, and makes the lease.
 */
#ifndef REDISLOCK_LOCK_ACQUIRE_H
#define REDISLOCK_LOCK_ACQUIRE_H

#include "lock/attempt.h"
#include "lock/lease.h"

/* Acquires a lock as lock_acquire() does: see lock_core.h. With LOCK_BUSY fills `refusal`. */
lock_outcome lock_acquire_with(const lock_acquire_params *params, lock_lease *lease, lock_refusal *refusal,
                               rl_error *error);

#endif
