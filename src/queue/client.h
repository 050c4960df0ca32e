/* SPDX-License-Identifier: MIT
 *
 * queue/client: as whom, where and how a queue's calls are made.
 */
#ifndef REDISLOCK_QUEUE_CLIENT_H
#define REDISLOCK_QUEUE_CLIENT_H

#include <stdint.h>

#include "redis/clock.h"

/* Names the caller to the server, which thereby recognizes an enqueue that is sent twice: see lua/queue_enqueue.lua.
 * Each thread has one of its own. All zero is a new one. */
typedef struct queue_caller {
    char id[24];     /* random; made anew after a fork */
    int64_t process; /* the process that made the id */
    int64_t calls;   /* how many calls were made; numbers them */
} queue_caller;

/* How to reach Redis, and how to behave there. Owned by the caller; a call does not change it. */
typedef struct queue_client {
    rl_target target; /* one server; its hook is asked while a call waits for a task, and between rounds */
    queue_caller *caller;
    rl_bytes prefix;      /* of every key */
    int64_t max_attempts; /* a task that comes back after so many attempts is dead; 0: no limit */
} queue_client;

/* The time budget of a call that has no timeout of its own. */
static inline int64_t queue_budget(const queue_client *client)
{
    return rl_target_budget(&client->target);
}

#define QUEUE_MOST  10000 /* tasks that one call may ask for */
#define QUEUE_CHUNK 1000  /* ids in one script at most: with so many it blocks the server for some milliseconds */

typedef enum queue_outcome {
    QUEUE_YES,
    QUEUE_NO,          /* see the function; if it says nothing of it: there was nothing to do or to find */
    QUEUE_FAILED,      /* the error says why; error.kind tells whether the outcome is unknown */
    QUEUE_INTERRUPTED, /* the hook ended the wait; nothing was taken */
} queue_outcome;

#endif
