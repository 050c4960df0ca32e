/* SPDX-License-Identifier: MIT
 *
 * lock/fence: the fencing token of a lock on several nodes.
 */
#ifndef REDISLOCK_LOCK_FENCE_H
#define REDISLOCK_LOCK_FENCE_H

#include "lock/keys.h"
#include "redis/request.h"

/* Makes `request` the one that writes the fence back: the highest that the nodes gave, or have. It is to stand on a majority
 * before anybody learns of it. So far it stands on fewer nodes, which the next holder's majority may lack. It is written where
 * the lock is the token's at that moment. The next majority includes one of these nodes, and asks it later, so its fence is
 * higher. `digits` must stay valid as long as any argument. */
void lock_fence_write_back(rl_request *request, const lock_keys *keys, rl_bytes token, int64_t fence,
                           char digits[RL_DIGITS]);

#endif
