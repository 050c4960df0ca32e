/* SPDX-License-Identifier: MIT
 *
 * queue/tasks: the tasks that a call found, read from the scripts' replies.
 */
#ifndef REDISLOCK_QUEUE_TASKS_H
#define REDISLOCK_QUEUE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/pipeline.h"

#define QUEUE_RECEIPT 64 /* bytes of a receipt that we make, with its NUL, at most */

typedef struct queue_task {
    rl_bytes id;
    double score;                /* when the task was due; of a dead task: when it was given up */
    int64_t attempts;            /* of a reserved task: how many, with this one; of a dead task: all of them */
    char receipt[QUEUE_RECEIPT]; /* of a reserved task, with a NUL; of any other an empty string */
} queue_task;

/* The tasks that a call found. All zero is an empty list. Freed by queue_tasks_free(). */
typedef struct queue_tasks {
    queue_task *at;
    size_t count;         /* of tasks */
    redisReply **replies; /* hold the bytes of the ids */
    size_t reply_count;
} queue_tasks;

void queue_tasks_free(queue_tasks *tasks);

/* Is the reply a string of packed tasks: see lua/inc/task_pack.lua? */
bool queue_tasks_are_packed(const redisReply *packed);

/* Appends the tasks of such a string to `tasks`. Their ids point into the reply, which must therefore be kept: see
 * queue_tasks_keep(). Returns false, and appends none, if the reply is no such string. */
bool queue_tasks_read(queue_tasks *tasks, const redisReply *packed);

/* Moves the call's reply to `tasks`, so that it lives as long as the tasks that were read from it. */
void queue_tasks_keep(queue_tasks *tasks, rl_call *call);

#endif
