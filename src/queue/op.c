/* SPDX-License-Identifier: MIT
 *
 * queue/op: see queue/op.h.
 */
#include "queue/op.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

void queue_op_open(queue_op *op, const queue_client *client, rl_bytes name, size_t count)
{
    memset(op, 0, sizeof(*op));
    op->client = client;
    op->count = op->room = count;
    op->repeat_by = PLATFORM_NEVER;
    op->calls = platform_zalloc(count * sizeof(*op->calls));
    op->conn = rl_pool_take(client->pool, client->endpoint);
    queue_keys_init(&op->keys, client->prefix, name);
}

void queue_op_close(queue_op *op)
{
    for (size_t i = 0; i < op->room; i++) {
        rl_call_reset(&op->calls[i]);
    }
    rl_pool_give(op->client->pool, op->conn);
    free(op->calls);
    queue_keys_free(&op->keys);
}

rl_request *queue_op_script(queue_op *op, size_t i, const rl_script *script)
{
    rl_request *request = &op->calls[i].request;

    rl_call_reset(&op->calls[i]);
    rl_request_begin(request, script);
    queue_keys_add(request, &op->keys);
    return request;
}

bool queue_op_is_good(const queue_op *op, size_t i)
{
    return op->calls[i].answered && op->calls[i].error.kind == RL_OK;
}

/* Submits the calls that have no good answer yet. Where there are several scripts, the first is sent with its text: a
 * server that does not know the script knows it for the following ones, and one round trip is enough. */
static void op_send_open(queue_op *op, int64_t connect_by)
{
    bool send_eval = op->count > 1;

    for (size_t i = 0; i < op->count; i++) {
        if (!queue_op_is_good(op, i)) {
            rl_call_reset(&op->calls[i]);
            op->calls[i].send_eval = send_eval;
            op->calls[i].corked = i + 1 < op->count;
            rl_conn_submit(op->conn, &op->calls[i], connect_by);
            send_eval = false;
        }
    }
}

/* Waits for the answers of all calls, each for queue_budget() and not past `until`. Returns at once when a call fails
 * otherwise than by an error reply, since the connection is then of no use to the calls behind it. */
static void op_await(queue_op *op, int64_t until)
{
    for (size_t i = 0; i < op->count; i++) {
        rl_call *call = &op->calls[i];
        int64_t reply_deadline = platform_after(platform_now(), queue_budget(op->client));
        rl_call_wait(call, platform_earlier(until, reply_deadline), NULL);
        if (call->error.kind != RL_OK && call->error.kind != RL_ERROR_REPLY) {
            return;
        }
    }
}

/* Returns the error of the first call that has no good answer, or RL_OK if each has one. */
static rl_error op_first_error(const queue_op *op)
{
    for (size_t i = 0; i < op->count; i++) {
        if (!queue_op_is_good(op, i)) {
            return op->calls[i].error;
        }
    }
    return (rl_error){0};
}

/* A repeat sends only the calls that have no good answer: what an earlier round carried out stays as it is. If
 * repeats are lost too, the error of the first round is reported: see rl_error_keep_first(). */
bool queue_op_ask(queue_op *op, bool repeatable, int64_t connect_by, int64_t until, rl_error *error)
{
    int64_t pause = RL_REPEAT_PAUSE;
    rl_error first = {0};

    for (;;) {
        op_send_open(op, connect_by);
        op_await(op, until);
        *error = op_first_error(op);
        if (error->kind == RL_OK) {
            return true;
        }
        if (error->kind != RL_ERROR_REPLY) {
            rl_conn_break(op->conn, RL_LOST, "the connection was given up");
        }
        if (!repeatable || !rl_error_keep_first(error, &first) ||
            platform_now() >= platform_earlier(until, op->repeat_by)) {
            return false;
        }
        rl_wait(NULL, 0, platform_earlier(until, platform_now() + pause), NULL);
        pause = platform_earlier(2 * pause, RL_LONGEST_PAUSE);
        connect_by = platform_earlier(until, platform_after(platform_now(), op->client->connect_timeout));
    }
}

bool queue_op_ask_within(queue_op *op, bool repeatable, int64_t budget, rl_error *error)
{
    int64_t now = platform_now();
    int64_t until = platform_after(now, budget);

    return queue_op_ask(op, repeatable, platform_earlier(until, platform_after(now, op->client->connect_timeout)),
                        until, error);
}

void queue_op_malformed(queue_op *op, rl_error *error)
{
    *error = RL_WRONG_REPLY;
    rl_conn_break(op->conn, RL_LOST, "another reply was malformed");
}
