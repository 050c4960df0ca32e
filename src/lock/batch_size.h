/* SPDX-License-Identifier: MIT
 *
 * lock/batch_size: how many leases one request may name, by what servers and proxies have taken so far.
 */
#ifndef REDISLOCK_LOCK_BATCH_SIZE_H
#define REDISLOCK_LOCK_BATCH_SIZE_H

#include "redis/session.h"

#define BATCH_MOST 200 /* leases in one request: it keeps Redis busy for less than 1 ms */

/* How many leases a group sends in one request. */
typedef struct batch_size {
    size_t most;        /* so many at most */
    bool lone_refused;  /* a request for one lease was refused, and none has had a good answer since */
    size_t refused;     /* leases in the last batch that was refused, for its size as it seems; 0: a batch as large has
                         * had a good answer since */
    unsigned refusals;  /* how many such batches running there were of which a lease alone was then renewed */
    size_t refused_by;  /* the node that refused the first of them */
    int64_t connection; /* to that node: see rl_conn_generation() */
} batch_size;

/* Learns from a request for so many leases that has been answered, or given up. `good`: it is certain what became of each. */
void batch_size_learn(batch_size *size, const rl_session *session, size_t leases, bool good);

#endif
