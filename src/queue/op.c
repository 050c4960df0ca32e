/* SPDX-License-Identifier: MIT
 *
 * queue/op: see queue/op.h.
 */
#include "queue/op.h"

#include "invariant.h"
#include "platform/platform.h"

void queue_op_open(queue_op *op, const queue_client *client, rl_bytes name, size_t count)
{
    RL_INVARIANT(count >= 1);
    op->client = client;
    queue_keys_init(&op->keys, client->prefix, name);
    rl_session_open(&op->session, &client->target, 1, count, rl_target_slot(&client->target, op->keys.all[0]));
}

void queue_op_close(queue_op *op)
{
    rl_session_close(&op->session);
    queue_keys_free(&op->keys);
}

rl_request *queue_op_script(queue_op *op, size_t i, const rl_script *script)
{
    rl_request *request = rl_session_request(&op->session, i);

    rl_request_begin(request, script);
    queue_keys_add(request, &op->keys);
    return request;
}

bool queue_op_ask(queue_op *op, int64_t budget, const rl_policy *policy, rl_error *error)
{
    rl_clock clock = rl_clock_budget(platform_now(), budget);

    return rl_session_ask(&op->session, &clock, policy, error);
}
