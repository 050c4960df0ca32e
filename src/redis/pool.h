/* SPDX-License-Identifier: MIT
 *
 * redis/pool: idle connections, kept for the next operation on the same server and database as the same user.
 *
 * An operation takes a connection, uses it alone, and gives it back. Only a connection on which nobody waits for a
 * reply is kept, so that a reply can never reach another operation.
 */
#ifndef REDISLOCK_REDIS_POOL_H
#define REDISLOCK_REDIS_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/connection.h"

#define RL_POOL_MAX 16

/* All zero is an empty pool. Not for use by two threads. */
typedef struct rl_pool {
    rl_conn *idle[RL_POOL_MAX]; /* the longest idle connection comes first */
    size_t count;               /* of connections in `idle` */
    rl_traffic *traffic;        /* of all connections that the pool makes; NULL: nothing is counted */
    rl_backlog *backlog;        /* of all connections that the pool makes; NULL: none */
} rl_pool;

/* Returns an idle connection to the endpoint, or one that is not made yet. The caller owns it. Can't fail. */
rl_conn *rl_pool_take(rl_pool *pool, const rl_endpoint *endpoint);

/* Writes the numeric address at which the endpoint's server was found, as rl_conn_address() does. Returns false if no
 * idle connection leads there. */
bool rl_pool_address(const rl_pool *pool, const rl_endpoint *endpoint, char *out, size_t size);

/* Takes the connection back. Keeps it if rl_conn_may_be_kept(), and closes it otherwise. If the pool is full, the
 * connection that was idle longest is closed. NULL is fine. */
void rl_pool_give(rl_pool *pool, rl_conn *conn);

/* Closes all connections. First gives those with detached calls under way a moment to receive the replies: a server
 * that cannot write a reply does not run the requests behind that one. */
void rl_pool_clear(rl_pool *pool);

#endif
