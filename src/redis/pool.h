/* SPDX-License-Identifier: MIT
 *
 * redis/pool: idle connections, kept for the next call that goes to the same place as the same user.
 *
 * A call takes a node, uses it alone, and gives it back. Only one that owes no reply is kept, so that a reply can
 * never reach another call.
 */
#ifndef REDISLOCK_REDIS_POOL_H
#define REDISLOCK_REDIS_POOL_H

#include <stddef.h>

#include "redis/node.h"

#define REDIS_POOL_MAX 16

/* All zero is an empty one. Not for use by two threads. */
typedef struct redis_pool {
    redis_node *idle[REDIS_POOL_MAX]; /* the longest idle first */
    size_t count;
    redis_traffic *traffic; /* of all nodes that come from here; NULL: nobody counts */
    redis_backlog *backlog; /* the same; NULL: none */
} redis_pool;

/* An idle connection to the endpoint or a node that is not connected yet. The caller owns it. Can't fail. */
redis_node *redis_pool_take(redis_pool *pool, const redis_endpoint *endpoint);

/* Takes the node back. It is kept if it is idle and closed if it is not; where the pool is full, the one that was
 * idle longest goes. NULL is fine. */
void redis_pool_give(redis_pool *pool, redis_node *node);

/* Closes all, after a moment for those that still owe what nobody waits for: a server that finds nobody to write a reply
 * to does not run what stands behind. */
void redis_pool_clear(redis_pool *pool);

#endif
