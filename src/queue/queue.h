/* SPDX-License-Identifier: MIT
 *
 * queue/queue: a queue of tasks on Redis: ids that become due, and are taken by workers that may die.
 *
 * The queue is a sorted set id -> due time, in Unix seconds by the server's clock. An id stands there once. A task that
 * is taken for good (pop) is delivered at most once. A task that is reserved comes back unless it is acknowledged in
 * time, so it is delivered at least once. See lua/inc/task_keys.lua for what is kept where, lua/inc/task_wake.lua for
 * how workers wait.
 *
 * Nothing here knows PHP. Times are µs of platform_now(), spans are µs; PLATFORM_NEVER is without end. A call takes one
 * round trip, unless it waits: what is too much for one script is split among several, which are sent together.
 */
#ifndef REDISLOCK_QUEUE_QUEUE_H
#define REDISLOCK_QUEUE_QUEUE_H

#include "queue/client.h"
#include "queue/take.h"
#include "queue/tasks.h"

/* Enters the ids, each due after `delay`. With `replace`, an id that stands in the queue gets a new score, which
 * differs from its old one, and a dead one starts anew; without it, both are kept as they are. An id that is reserved
 * enters when its reservation ends; if that ends in a failure, only if it replaces the task that failed. QUEUE_NO: all
 * ids were kept. The call takes `budget` at most. A request whose answer was lost is sent again, for a minute at most;
 * the repeat enters nothing a second time. */
queue_outcome queue_enqueue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count, int64_t delay,
                            bool replace, int64_t budget, rl_error *error);

/* Removes the id if it still has this score. QUEUE_NO: it has not. The call takes `budget` at most. */
queue_outcome queue_dequeue(const queue_client *client, rl_bytes name, rl_bytes id, double score, int64_t budget,
                            rl_error *error);

/* Puts back tasks that were taken for good and cannot be delivered: they get their old scores. QUEUE_NO: all of them
 * were enqueued anew meanwhile, and stay as they are, also if they are dead by now. */
queue_outcome queue_put_back(const queue_client *client, rl_bytes name, const queue_tasks *tasks, rl_error *error);

/* Lists tasks that are due, without taking them. */
queue_outcome queue_top(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error);

typedef enum queue_disposition {
    QUEUE_ACK,     /* the task is done, and is forgotten */
    QUEUE_RELEASE, /* the task is not done: it is due again after `span`, or dead */
    QUEUE_TOUCH,   /* the task is not done yet: it stays reserved for `span` from now */
} queue_disposition;

/* Reports what became of a task that the caller has reserved. QUEUE_NO: the task is not reserved under this receipt any
 * more. */
queue_outcome queue_settle(const queue_client *client, rl_bytes name, queue_disposition disposition, rl_bytes id,
                           rl_bytes receipt, int64_t span, rl_error *error);

typedef struct queue_counts {
    int64_t due;
    int64_t delayed;
    int64_t reserved;
    int64_t dead;
} queue_counts;

/* Counts the tasks of each kind. */
queue_outcome queue_stats(const queue_client *client, rl_bytes name, queue_counts *counts, rl_error *error);

/* Lists the tasks that were given up, those that died first in front. */
queue_outcome queue_dead(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error);

/* Makes dead tasks due again, as new ones: those of `ids`, or with `ids` NULL all that are dead when the call begins.
 * The latter takes one round trip for each QUEUE_CHUNK tasks, and asks the hook in between. `moved` is how many tasks
 * were made due, also when the call then fails or is interrupted. */
queue_outcome queue_requeue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count,
                            int64_t *moved, rl_error *error);

#endif
