/* SPDX-License-Identifier: MIT
 *
 * redis/sentinel: finds the master of a name by asking the sentinels that watch it.
 *
 * All sentinels of the endpoint are asked at once. Of a majority, the one with the highest configuration epoch says where
 * the master is: each failover raises that epoch, so a sentinel that was cut off with an old master has a lower one. From
 * half of the time on, those that have answered are enough, since the others may be as far away for the rest of it; but not to
 * leave a server that was found before.
 *
 * Protocol: "Guidelines for Redis clients with support for Redis Sentinel" of the Redis documentation. It takes the first
 * sentinel that answers; the epoch is ours, from the reply to SENTINEL MASTER.
 */
#ifndef REDISLOCK_REDIS_SENTINEL_H
#define REDISLOCK_REDIS_SENTINEL_H

#include "redis/route.h"

/* The router of endpoints that have sentinels. */
extern const rl_router rl_sentinel_router;

#endif
