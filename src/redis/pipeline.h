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
#include "redis/request.h"

/* Is it a number as our scripts answer with: a count, or yes and no? */
static inline bool rl_reply_is_count(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer >= 0;
}

typedef struct rl_conn rl_conn; /* the connection: redis/connection.h */

/* A request on its way. Zero it, or make it by rl_call_init(), fill `request`, submit it; it must stay where it is until
 * it is answered. */
typedef struct rl_call {
    rl_request request;
    bool send_eval; /* send a script with its text */
    bool
        more; /* others follow on the connection: it goes out with them, at the latest when the connection is waited for */
    bool answered;     /* `reply` or `error` says the outcome */
    redisReply *reply; /* owned by the call: rl_call_reset(). NULL on failure, set also for an error reply */
    rl_error error;
    rl_conn *conn; /* on which it waits; NULL: on none */
    struct rl_call *next;

    /* Of a call that nobody waits for; the pipeline owns it. */
    bool detached;
    bool must_run;              /* see rl_call_detach() */
    int64_t detached_at;        /* a time of platform_now() */
    struct rl_backlog *backlog; /* that hears of its end: rl_backlog_settle(); NULL: none */
    uint64_t backlog_id;
} rl_call;

/* All zero is an empty one. */
typedef struct rl_pipeline {
    rl_call *first;
    rl_call *last;
    size_t replies_pending; /* calls that nobody waits for */
} rl_pipeline;

/* Puts the call behind the others. */
void rl_pipeline_push(rl_pipeline *pipeline, rl_conn *conn, rl_call *call);

/* Takes the first off, NULL where there is none. */
rl_call *rl_pipeline_shift(rl_pipeline *pipeline);

/* Puts `other` (NULL: nothing) where the call stands. */
void rl_pipeline_replace(rl_pipeline *pipeline, rl_call *call, rl_call *other);

/* Does anybody wait for one of them? */
bool rl_pipeline_is_awaited(const rl_pipeline *pipeline);

/* The first that nobody waits for, or NULL. */
const rl_call *rl_pipeline_first_detached(const rl_pipeline *pipeline);

/* May this call, which was taken off and which the server did not carry out, be put behind the others again? Not what
 * nobody waits for when what undoes it may stand behind it. */
bool rl_pipeline_may_repeat(const rl_pipeline *pipeline, const rl_call *call);

/* A call that nobody waits for, in one piece of memory with a copy of what it is to send. Freed by free(). */
rl_call *rl_detached_call_new(const rl_request *request, bool send_eval, bool must_run);

#endif
