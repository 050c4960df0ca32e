/* SPDX-License-Identifier: MIT
 *
 * queue/op: what one function of queue/queue.h sends: one or more scripts of a queue, all on one connection without
 * waiting in between, so in one round trip.
 */
#ifndef REDISLOCK_QUEUE_OP_H
#define REDISLOCK_QUEUE_OP_H

#include "queue/client.h"
#include "queue/keys.h"
#include "redis/session.h"

typedef struct queue_op {
    const queue_client *client;
    queue_keys keys;
    rl_session session; /* a question for each script; the caller may lower their number */
} queue_op;

/* Takes a connection from the client's pool, but does not connect yet. `count` is how many scripts are to be sent, at
 * least 1. Ended by queue_op_close(), which gives the connection back. */
void queue_op_open(queue_op *op, const queue_client *client, rl_bytes name, size_t count);
void queue_op_close(queue_op *op);

/* Begins the request of the i-th script, with its KEYS, and returns it. The caller adds the ARGV. */
rl_request *queue_op_script(queue_op *op, size_t i, const rl_script *script);

/* Asks within `budget` from now: see rl_session_ask(). */
bool queue_op_ask(queue_op *op, int64_t budget, const rl_policy *policy, rl_error *error);

/* The call of the i-th script; whether it has a good answer. */
static inline rl_call *queue_op_call(const queue_op *op, size_t i)
{
    return rl_session_calls(&op->session, i);
}

static inline bool queue_op_is_good(const queue_op *op, size_t i)
{
    const rl_call *call = queue_op_call(op, i);

    return call->answered && call->error.kind == RL_OK;
}

#endif
