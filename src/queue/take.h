/* SPDX-License-Identifier: MIT
 *
 * queue/take: takes tasks that are due, for good or reserved, and waits while none is.
 */
#ifndef REDISLOCK_QUEUE_TAKE_H
#define REDISLOCK_QUEUE_TAKE_H

#include "queue/client.h"
#include "queue/tasks.h"
#include "redis/clock.h"

/* How much longer than its timeout a wait may take, for the answer to its last question. */
#define QUEUE_FINAL_REPLY_GRACE RL_CLEANUP_BUDGET

typedef struct queue_take_params {
    size_t count;       /* 1 to QUEUE_MOST */
    int64_t visibility; /* for how long the tasks are reserved; 0: they are taken for good */
    int64_t timeout;    /* how long to wait while nothing is due */
} queue_take_params;

/* Takes tasks that are due. QUEUE_YES: at least one was taken, maybe fewer than are due. QUEUE_NO: none came due before the
 * timeout. The call ends at the timeout, or QUEUE_FINAL_REPLY_GRACE later; only the answer to the first question is awaited for
 * queue_budget() if that is longer. A lost answer may have held tasks: reserved ones come back, tasks that were taken for good
 * are lost. */
queue_outcome queue_take(const queue_client *client, rl_bytes name, const queue_take_params *order, queue_tasks *tasks,
                         rl_error *error);

#endif
