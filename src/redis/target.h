/* SPDX-License-Identifier: MIT
 *
 * redis/target: the servers that a call is for, and how long it waits for them.
 */
#ifndef REDISLOCK_REDIS_TARGET_H
#define REDISLOCK_REDIS_TARGET_H

#include "platform/platform.h"
#include "redis/pool.h"

#define RL_MAX_NODES 16

/* Owned by the caller of the core; no call changes it. */
typedef struct rl_target {
    rl_pool *pool;                /* where connections are taken from and given back to */
    const rl_endpoint *endpoints; /* one for each server */
    size_t count;                 /* of endpoints, from 1 to RL_MAX_NODES */
    int64_t connect_timeout;      /* µs */
    int64_t read_timeout;         /* µs */
    int64_t node_timeout;         /* µs that a connected node may take to answer, if there are several */
    rl_hook hook;                 /* asked while a call waits; .interrupted may be NULL */
} rl_target;

/* May another server answer the next request: one that is looked for each time that a connection is made, or the node of a
 * cluster that serves the key by then? After an error that passes it is worth asking again: that may lead to the server that
 * has taken over. */
static inline bool rl_target_moves(const rl_target *target)
{
    return target->count == 1 && (target->endpoints[0].sentinels != NULL || target->endpoints[0].seeds != NULL);
}

/* Is it a cluster, in which each key belongs to one of many servers? */
static inline bool rl_target_is_cluster(const rl_target *target)
{
    return target->endpoints[0].seeds != NULL;
}

/* The key's slot of a cluster; 0 if the target is none. */
static inline unsigned rl_target_slot(const rl_target *target, rl_bytes key)
{
    return rl_target_is_cluster(target) ? rl_slot_of(key) : 0;
}

/* Does the key's slot of a cluster move at present, as far as is known? Then no script of several keys runs. */
static inline bool rl_target_slot_moves(const rl_target *target, rl_bytes key)
{
    rl_cluster *cluster = rl_pool_cluster(target->pool, target->endpoints);

    return cluster != NULL && rl_cluster_is_moving(cluster, key);
}

/* Is a call that has failed so worth beginning again, since another server may take over? */
static inline bool rl_target_may_take_over(const rl_target *target, const rl_error *error)
{
    return rl_target_moves(target) && rl_error_is_transient(error);
}

/* Returns when a wait is to ask its server next, if nothing else happens before `when`. It makes sure that the server is still
 * the one to wait at: one that was replaced while it stood still, or was cut off, does not say so. */
static inline int64_t rl_target_check_at(const rl_target *target, int64_t now, int64_t when)
{
    return rl_target_moves(target) ? platform_earlier(when, now + RL_ROUTE_AGE) : when;
}

#endif
