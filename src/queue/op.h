/* SPDX-License-Identifier: MIT
 *
 * queue/op: what one function of queue/queue.h sends: one or more scripts of a queue, all on one connection without
 * waiting in between, so in one round trip.
 */
#ifndef REDISLOCK_QUEUE_OP_H
#define REDISLOCK_QUEUE_OP_H

#include "queue/client.h"
#include "queue/keys.h"

typedef struct queue_op {
    const queue_client *client;
    queue_keys keys;
    rl_conn *conn;
    rl_call *calls; /* one for each script */
    size_t count;   /* how many of the calls are sent; the caller may lower it */
    size_t room;    /* how many calls are allocated */

    /* A request whose answer is missing at this time or later is not sent again. PLATFORM_NEVER unless the caller sets
     * it. */
    int64_t repeat_by;
} queue_op;

/* Takes a connection from the client's pool, but does not connect yet. `count` is how many scripts are to be sent, at
 * least 1; op->count may be lowered later. Ended by queue_op_close(), which gives the connection back. */
void queue_op_open(queue_op *op, const queue_client *client, rl_bytes name, size_t count);
void queue_op_close(queue_op *op);

/* Begins the request of the i-th call, with the script and its KEYS, and returns it. The caller adds the ARGV. */
rl_request *queue_op_script(queue_op *op, size_t i, const rl_script *script);

/* Sends the requests and waits until all are answered, until `until` at most. Connects first, if need be, by
 * `connect_by`. Gives up when no answer comes for queue_budget(). With `repeatable`, requests that were lost with their
 * connection are sent again as long as there is time. Returns false if a call has no good answer: `error` is then the
 * first error. Other calls may have good answers all the same: see queue_op_is_good(). */
bool queue_op_ask(queue_op *op, bool repeatable, int64_t connect_by, int64_t until, rl_error *error);

/* As queue_op_ask(), for a span of `budget` from now. Connecting may take the client's connect_timeout of it. */
bool queue_op_ask_within(queue_op *op, bool repeatable, int64_t budget, rl_error *error);

/* Has the i-th call been answered, and not by an error? */
bool queue_op_is_good(const queue_op *op, size_t i);

/* For a reply that is not one to its request: breaks the connection off and fills `error`. */
void queue_op_malformed(queue_op *op, rl_error *error);

#endif
