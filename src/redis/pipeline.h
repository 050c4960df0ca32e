/* SPDX-License-Identifier: MIT
 *
 * redis/pipeline: the requests that are on their way over one connection, in the order of their answers.
 */
#ifndef REDISLOCK_REDIS_PIPELINE_H
#define REDISLOCK_REDIS_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiredis/hiredis.h>

#include "redis/error.h"
#include "redis/script.h"

/* Is it a number as our scripts answer with: a count, or yes and no? */
static inline bool redis_reply_is_count(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer >= 0;
}

typedef struct redis_node redis_node; /* the connection: redis/node.h */

/* A request on its way. Zero it, or make it by redis_call_init(), fill `request`, submit it; it must stay where it is until
 * it is answered. */
typedef struct redis_call {
    redis_request request;
    bool whole;        /* send a script with its text */
    bool more;         /* others follow on the node: it goes out with them, at the latest when the node is waited for */
    bool answered;     /* `reply` or `error` says the outcome */
    redisReply *reply; /* owned by the call: redis_call_reset(). NULL on failure, set also for an error reply */
    redis_error error;
    redis_node *node; /* on which it waits; NULL: on none */
    struct redis_call *next;

    /* Of a call that nobody waits for; the pipeline owns it. */
    bool disowned;
    bool must_run;                 /* see redis_call_disown() */
    int64_t disowned_at;           /* a time of platform_now() */
    struct redis_backlog *backlog; /* that hears of its end: redis_backlog_settle(); NULL: none */
    uint64_t backlog_id;
} redis_call;

/* All zero is an empty one. */
typedef struct redis_pipeline {
    redis_call *first;
    redis_call *last;
    size_t owed; /* calls that nobody waits for */
} redis_pipeline;

/* Puts the call behind the others. */
void redis_pipeline_push(redis_pipeline *pipeline, redis_node *node, redis_call *call);

/* Takes the first off, NULL where there is none. */
redis_call *redis_pipeline_shift(redis_pipeline *pipeline);

/* Puts `other` (NULL: nothing) where the call stands. */
void redis_pipeline_replace(redis_pipeline *pipeline, redis_call *call, redis_call *other);

/* Does anybody wait for one of them? */
bool redis_pipeline_is_awaited(const redis_pipeline *pipeline);

/* The first that nobody waits for, or NULL. */
const redis_call *redis_pipeline_first_owed(const redis_pipeline *pipeline);

/* May this call, which was taken off and which the server did not carry out, be put behind the others again? Not what
 * nobody waits for when what undoes it may stand behind it. */
bool redis_pipeline_may_repeat(const redis_pipeline *pipeline, const redis_call *call);

/* A call that nobody waits for, in one piece of memory with a copy of what it is to send. Freed by free(). */
redis_call *redis_orphan_new(const redis_request *request, bool whole, bool must_run);

#endif
