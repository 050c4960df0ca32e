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

#include "redis/cluster.h"
#include "redis/connection.h"

/* How many idle connections are kept: to servers; and to nodes of clusters, where each node that a map holds has room for that
 * of a call, and for the second one of a wait. With less room, who goes over all nodes in turn would find each time that the
 * connection was closed for another one. */
#define RL_POOL_MAX_PLAIN   16
#define RL_POOL_MAX_CLUSTER (2 * RL_CLUSTER_NODES)

/* All zero is an empty pool. Not for use by two threads. */
typedef struct rl_pool {
    rl_conn **idle;        /* the longest idle connection comes first */
    size_t count;          /* of connections in `idle` */
    size_t room;           /* for as many */
    rl_traffic *traffic;   /* of all connections that the pool makes; NULL: nothing is counted */
    rl_backlog *backlog;   /* of all connections that the pool makes; NULL: none */
    rl_hosts hosts;        /* what connections knew that could not be kept */
    rl_cluster **clusters; /* the maps of the clusters that connections were made to */
    size_t cluster_count;
} rl_pool;

/* Returns an idle connection to the endpoint, or one that is not made yet. The caller owns it. Can't fail. */
rl_conn *rl_pool_take(rl_pool *pool, const rl_endpoint *endpoint);

/* Returns the map of the cluster that the endpoint is. */
rl_cluster *rl_pool_find_map(rl_pool *pool, const rl_endpoint *endpoint);

/* Returns the map; NULL: the endpoint is no cluster. */
static inline rl_cluster *rl_pool_cluster(rl_pool *pool, const rl_endpoint *endpoint)
{
    if (endpoint->seeds == NULL) {
        return NULL;
    }
    if (pool->cluster_count > 0 && rl_cluster_has_id(pool->clusters[0], endpoint)) {
        return pool->clusters[0]; /* mostly there is one */
    }
    return rl_pool_find_map(pool, endpoint);
}

/* As rl_pool_take(), of a cluster with this map: to the node that serves the slot, as far as is known. `is_guess` tells whether
 * it is. */
rl_conn *rl_pool_take_routed(rl_pool *pool, const rl_endpoint *endpoint, rl_cluster *cluster, unsigned slot,
                             bool *is_guess);

/* The same to this node. `at` is the caller's, not the map's, which may change meanwhile. */
rl_conn *rl_pool_take_node(rl_pool *pool, const rl_endpoint *endpoint, rl_cluster *cluster, const rl_destination *at);

/* Notes what the idle connection to the endpoint that was used last knows of its hosts: see rl_conn_hosts(). If
 * none knows anything, what those knew that could not be kept. */
void rl_pool_hosts(rl_pool *pool, const rl_endpoint *endpoint, rl_hosts *hosts);

/* Takes the connection back. Keeps it if rl_conn_may_be_kept(), and closes it otherwise. If the pool is full, the connection
 * that was idle longest is closed. NULL is fine.
 *
 * If the server of an endpoint may change, idle connections to it are closed too when one cannot be kept, and all are when one
 * leads elsewhere: they may lead to a server that has gone. */
void rl_pool_give(rl_pool *pool, rl_conn *conn);

/* Closes all connections. First gives those with detached calls under way a moment to receive the replies: a server
 * that cannot write a reply does not run the requests behind that one. */
void rl_pool_clear(rl_pool *pool);

#endif
