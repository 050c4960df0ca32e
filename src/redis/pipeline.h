/* SPDX-License-Identifier: MIT
 *
 * redis/pipeline: the calls under way on one connection, in the order in which the server answers them.
 */
#ifndef REDISLOCK_REDIS_PIPELINE_H
#define REDISLOCK_REDIS_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/hiredis.h"
#include "redis/error.h"
#include "redis/request.h"

/* Is the reply a number of the kind that our scripts return: a count, or 1 and 0 for yes and no? */
static inline bool rl_reply_is_count(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer >= 0;
}

typedef struct rl_conn rl_conn; /* the connection: redis/connection.h */

/* What the connection itself learns from the reply to a call. */
typedef enum rl_learns {
    RL_LEARNS_NOTHING,
    RL_LEARNS_SLOTS, /* the map of a cluster: the call is CLUSTER SLOTS */
    RL_LEARNS_NAMED, /* whether the server has taken its name */
} rl_learns;

/* A request under way. The caller zeroes it or initializes it with rl_call_init(), fills `request`, and submits it. It
 * must stay in its place until it is answered or taken off its connection. */
typedef struct rl_call {
    rl_request request;
    bool send_eval;       /* send the script with its text */
    bool corked;          /* others follow: it goes out with them, or when the connection is next waited for */
    bool answered;        /* `reply` or `error` holds the outcome */
    bool repeated;        /* it was sent before, and its reply was lost */
    redisReply *reply;    /* owned by the call, see rl_call_reset(); NULL on failure, but set for an error reply */
    rl_error error;       /* RL_OK: none */
    rl_conn *conn;        /* the connection on which the call is queued; NULL: none */
    int64_t answered_on;  /* of an answered call with a reply: the rl_conn_generation() of its connection */
    struct rl_call *next; /* in the pipeline; NULL: it is the last */
    struct rl_call *prev; /* valid while it is in a pipeline; NULL: it is the first */
    struct rl_call *twin; /* of a call of a session that was detached: the detached call that goes on in its place, and
                             the other way round; NULL: there is none, or one of the two has ended */

    /* Of a call of a session with a cluster: which of its connections it was sent over, and whether that was only a guess. */
    unsigned char lane;
    bool is_guess;

    /* Of a call to a node of a cluster: it goes out behind ASKING; and it went out as request.alone. */
    bool asking;
    bool went_alone;
    unsigned char followed; /* how often it was sent again in a round: see rl_session_follow() */

    bool detached;                 /* nobody waits for the reply, and the pipeline owns the call */
    bool must_run;                 /* of a detached call: see rl_call_detach() */
    unsigned char learns;          /* of a detached call: see rl_learns */
    int64_t detached_at;           /* when a detached call was made */
    struct rl_backlog_entry *owes; /* what a detached call does of the backlog; NULL: nothing */
} rl_call;

/* All zero is an empty pipeline. */
typedef struct rl_pipeline {
    rl_call *first;         /* the one that the server answers next; NULL: there is none */
    rl_call *last;          /* NULL: there is none */
    size_t awaited;         /* for how many of the calls somebody waits */
    size_t replies_pending; /* how many of the calls are detached */
} rl_pipeline;

/* Puts the call behind the others. `conn` is the connection to which the pipeline belongs. */
void rl_pipeline_push(rl_pipeline *pipeline, rl_conn *conn, rl_call *call);

/* Takes the first call off and returns it; NULL if there is none. */
rl_call *rl_pipeline_shift(rl_pipeline *pipeline);

/* Puts `other` in the place of the call; NULL only takes the call out. */
void rl_pipeline_replace(rl_pipeline *pipeline, rl_call *call, rl_call *other);

/* The first detached call, or NULL. */
const rl_call *rl_pipeline_first_detached(const rl_pipeline *pipeline);

/* May this call, which was taken off and which the server did not carry out, be put behind the others again? A
 * detached call that need not run may not, if one that must run or that somebody waits for is among the others: that may
 * be the one which undoes it. */
bool rl_pipeline_may_repeat(const rl_pipeline *pipeline, const rl_call *call);

/* Returns a detached call in one piece of memory with a copy of the request's arguments. Freed by free(). */
rl_call *rl_detached_call_new(const rl_request *request, bool send_eval, bool must_run);

#endif
