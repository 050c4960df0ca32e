/* SPDX-License-Identifier: MIT
 *
 * queue/queue: a queue of tasks on Redis: ids that become due, and are taken by workers that may die.
 *
 * The queue is a sorted set id -> due time, Unix seconds by the server's clock. An id stands there once. Taken for good
 * (pop) it is delivered at most once; reserved, it comes back unless it is acknowledged in time, so at least once. See
 * lua/inc/task_keys.lua for what is kept where, lua/inc/task_wake.lua for how workers wait.
 *
 * Nothing here knows PHP. Times are µs of platform_now(), spans are µs; PLATFORM_NEVER is without end. One call is one
 * round trip, unless it waits: what is too much for one script goes out as several, behind one another.
 */
#ifndef REDISLOCK_QUEUE_QUEUE_H
#define REDISLOCK_QUEUE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/error.h"
#include "redis/pool.h"

#define QUEUE_MOST    10000 /* tasks that one call may ask for */
#define QUEUE_CHUNK   1000  /* ids that one script deals with: it holds up everybody else for some milliseconds */
#define QUEUE_RECEIPT 64    /* bytes that ours have at most, with a NUL */

/* By so much a wait may exceed its timeout, for the answer to its last question. */
#define QUEUE_FINAL_REPLY_GRACE (40 * PLATFORM_MSEC)

/* Who calls, where a call that is sent twice must be known as one: see lua/queue_enqueue.lua. One a thread; all zero
 * is a new one. */
typedef struct queue_caller {
    char id[24];
    int64_t pid; /* whose id it is */
    int64_t calls;
} queue_caller;

/* How to reach Redis, and how to behave there. Owned by the caller, not changed by a call. */
typedef struct queue_client {
    rl_pool *pool;
    queue_caller *caller;
    const rl_endpoint *endpoint;
    rl_bytes prefix;         /* of every key */
    int64_t connect_timeout; /* µs */
    int64_t read_timeout;    /* µs */
    int64_t max_attempts;    /* after so many a task that comes back is dead; 0: no limit */
    rl_hook hook;            /* .interrupted may be NULL; asked while a call waits for a task, and between rounds */
} queue_client;

typedef enum queue_outcome {
    QUEUE_YES,
    QUEUE_NO,          /* whatever is the "no" of the call */
    QUEUE_FAILED,      /* the error says why; error.kind tells whether the outcome is unknown */
    QUEUE_INTERRUPTED, /* the hook ended the wait; nothing was taken */
} queue_outcome;

typedef struct queue_task {
    rl_bytes id;
    double score;                /* when it was due; of a dead one, when it was given up */
    int64_t attempts;            /* of a reserved one this one included, of a dead one all */
    char receipt[QUEUE_RECEIPT]; /* of a reserved one, with a NUL */
} queue_task;

/* What a call found. All zero is an empty list; freed by queue_tasks_free(). */
typedef struct queue_tasks {
    queue_task *at;
    size_t count;
    redisReply **replies; /* in which the ids stand */
    size_t reply_count;
} queue_tasks;

void queue_tasks_free(queue_tasks *tasks);

/* Enters the ids, each due after `delay`. One that stands already is replaced, with a score that differs from its old
 * one, or kept as it is; one that is reserved enters when that ends. QUEUE_NO: all were kept. `budget`: see
 * queue_budget(). Sent again where its answer was lost, for a minute at most: it enters nothing that was entered. */
queue_outcome queue_enqueue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count, int64_t delay,
                            bool replace, int64_t budget, rl_error *error);

/* Removes the id, if it still has this score. */
queue_outcome queue_dequeue(const queue_client *client, rl_bytes name, rl_bytes id, double score, int64_t budget,
                            rl_error *error);

typedef struct queue_order {
    size_t count;       /* 1 to QUEUE_MOST */
    int64_t visibility; /* for how long they are reserved; 0: they are taken for good */
    int64_t timeout;    /* how long to wait while nothing is due */
} queue_order;

/* Takes tasks that are due: QUEUE_YES, with at least one and maybe fewer than are there; QUEUE_NO: none until the
 * timeout. It is over by then, to within QUEUE_FINAL_REPLY_GRACE; only the first question is given queue_budget() where that is
 * longer. An answer that was lost may have held tasks: those that were to be reserved come back. */
queue_outcome queue_take(const queue_client *client, rl_bytes name, const queue_order *order, queue_tasks *tasks,
                         rl_error *error);

/* Puts back what was taken for good and cannot be delivered: it stands where it stood. QUEUE_NO: all of it was enqueued
 * anew meanwhile. */
queue_outcome queue_put_back(const queue_client *client, rl_bytes name, const queue_tasks *tasks, rl_error *error);

/* The tasks that are due, without taking them. */
queue_outcome queue_top(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error);

typedef enum queue_word {
    QUEUE_ACK,     /* done: it is forgotten */
    QUEUE_RELEASE, /* not done: it is due again after `span`, or dead */
    QUEUE_TOUCH,   /* not done yet: it stays reserved for `span` from now */
} queue_word;

/* What a worker says of the task that it has reserved. QUEUE_NO: it is not reserved under this receipt any more. */
queue_outcome queue_settle(const queue_client *client, rl_bytes name, queue_word word, rl_bytes id, rl_bytes receipt,
                           int64_t span, rl_error *error);

typedef struct queue_counts {
    int64_t due;
    int64_t delayed;
    int64_t reserved;
    int64_t dead;
} queue_counts;

queue_outcome queue_stats(const queue_client *client, rl_bytes name, queue_counts *counts, rl_error *error);

/* The tasks that were given up, the oldest first. */
queue_outcome queue_dead(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error);

/* Makes dead tasks due again, as new ones: these ids, or all that are dead now (`ids` NULL; then a round trip each
 * QUEUE_CHUNK, between which the hook is asked). `moved`: how many, also where the call ended behind them. */
queue_outcome queue_requeue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count,
                            int64_t *moved, rl_error *error);

/* The time that a call may take which has no timeout of its own. */
int64_t queue_budget(const queue_client *client);

#endif
