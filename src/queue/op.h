/* SPDX-License-Identifier: MIT
 *
 * queue/op: what one call of queue_core sends: one or more scripts of a queue, behind one another on one
 * connection, so in one round trip.
 */
#ifndef REDISLOCK_QUEUE_OP_H
#define REDISLOCK_QUEUE_OP_H

#include "queue/keys.h"
#include "queue/queue.h"

typedef struct queue_op {
    const queue_client *client;
    queue_keys keys;
    rl_conn *conn;
    rl_call *calls;
    size_t count; /* that are sent */
    size_t room;  /* that there are */

    /* What is lost later than this is not sent again. PLATFORM_NEVER unless it is set. */
    int64_t repeat_by;
} queue_op;

/* Takes a connection; connects nothing yet. `count` is how many scripts there will be, at least 1; x->count may be made
 * less later. Ended by queue_op_close(). */
void queue_op_open(queue_op *op, const queue_client *client, rl_bytes name, size_t count);
void queue_op_close(queue_op *op);

/* Begins the request of a call, with the script and its keys. The arguments are the caller's to add. */
rl_request *queue_op_script(queue_op *op, size_t i, const rl_script *script);

/* Sends the requests and waits until all are answered. Connects first, if need be, by `connect_by`; takes until `until`
 * at most, and gives up when nothing comes for queue_budget(). Where `repeatable`, those that were lost with their
 * connection are sent again as long as there is time. False: `error` is the first one; the calls before it may be good
 * all the same. */
bool queue_op_ask(queue_op *op, bool repeatable, int64_t connect_by, int64_t until, rl_error *error);

/* The same within a budget, and without a thought of when to connect. */
bool queue_op_ask_within(queue_op *op, bool repeatable, int64_t budget, rl_error *error);

/* Is this call's answer here, and no error? */
bool queue_op_is_good(const queue_op *op, size_t i);

/* An answer was none to its question: breaks the connection off. */
void queue_op_malformed(queue_op *op, rl_error *error);

/* Reads a string of tasks (see lua/inc/task_pack.lua), in which they stay, behind those that are there. False: it is
 * none. */
bool queue_tasks_read(queue_tasks *tasks, const redisReply *packed);

/* Keeps a call's reply for as long as the tasks that were read from it. */
void queue_tasks_keep(queue_tasks *tasks, rl_call *call);

#endif
