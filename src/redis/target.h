/* SPDX-License-Identifier: MIT
 *
 * redis/target: the servers that a call is for, and how long it waits for them.
 */
#ifndef REDISLOCK_REDIS_TARGET_H
#define REDISLOCK_REDIS_TARGET_H

#include "redis/pool.h"

#define RL_MAX_NODES 16

/* Owned by the caller of the core; no call changes it. */
typedef struct rl_target {
    rl_pool *pool;                /* where connections are taken from and given back to */
    const rl_endpoint *endpoints; /* one for each server */
    size_t count;                 /* of endpoints, from 1 to RL_MAX_NODES */
    int64_t connect_timeout;      /* µs */
    int64_t read_timeout;         /* µs */
    int64_t node_timeout;         /* µs that a connected node may take to answer, where there are several */
    rl_hook hook;                 /* asked while a call waits; .interrupted may be NULL */
} rl_target;

#endif
