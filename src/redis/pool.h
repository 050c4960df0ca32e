/* SPDX-License-Identifier: MIT
 *
 * redis/pool: idle connections, kept for the next call that goes to the same place as the same user.
 *
 * A call takes a connection, uses it alone, and gives it back. Only one on which no call waits is kept, so that a reply can
 * never reach another call.
 */
#ifndef REDISLOCK_REDIS_POOL_H
#define REDISLOCK_REDIS_POOL_H

#include <stddef.h>

#include "redis/connection.h"

#define RL_POOL_MAX 16

/* All zero is an empty one. Not for use by two threads. */
typedef struct rl_pool {
    rl_conn *idle[RL_POOL_MAX]; /* the longest idle first */
    size_t count;
    rl_traffic *traffic; /* of all connections that come from here; NULL: nobody counts */
    rl_backlog *backlog; /* the same; NULL: none */
} rl_pool;

/* An idle connection to the endpoint or one that is not made yet. The caller owns it. Can't fail. */
rl_conn *rl_pool_take(rl_pool *pool, const rl_endpoint *endpoint);

/* Takes the connection back. It is kept if it is idle and closed if it is not; where the pool is full, the one that was
 * idle longest goes. NULL is fine. */
void rl_pool_give(rl_pool *pool, rl_conn *conn);

/* Closes all, after a moment for those that have detached calls under way: a server that finds nobody to write a reply
 * to does not run what stands behind. */
void rl_pool_clear(rl_pool *pool);

#endif
