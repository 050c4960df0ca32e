/* SPDX-License-Identifier: MIT
 *
 * lock/extend: sets how long a lock that is held lasts from now on.
 */
#ifndef REDISLOCK_LOCK_EXTEND_H
#define REDISLOCK_LOCK_EXTEND_H

#include "lock/lease.h"

/* Sets the remaining lease to `duration` from now. Until the reply comes, and if it never comes, `lease` is the shorter one of
 * old and new. An extension that arrives behind a later one of this process is not carried out. LOCK_NOT_OWNED: the token does
 * not own the lock any more. LOCK_FAILED also if the extension was carried out, but reached too few replicas. Takes no longer
 * than `budget`. */
lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration, int64_t budget,
                         rl_error *error);

#endif
