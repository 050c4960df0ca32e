/* SPDX-License-Identifier: MIT
 *
 * redis/blpop: see redis/blpop.h.
 */
#include "redis/blpop.h"

#include "platform/platform.h"

#define LATE_START (5 * PLATFORM_MSEC) /* how much later than the next request a BLPOP may get to the server */

int64_t rl_blpop_span(int64_t left)
{
    int64_t span = left - left / 100 - RL_BLOCK_MARGIN - LATE_START;

    return span < RL_BLOCK_SHORTEST ? 0 : span;
}

void rl_blpop_start(rl_blpop *blpop, rl_conn *conn, const rl_bytes *keys, size_t count, int64_t span)
{
    rl_request *request = &blpop->call.request;

    rl_call_reset(&blpop->call);
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("BLPOP"));
    for (size_t i = 0; i < count; i++) {
        rl_request_add(request, keys[i]);
    }
    rl_request_add_seconds(request, span, blpop->seconds);
    rl_conn_submit(conn, &blpop->call, platform_now());
}

bool rl_blpop_element(const rl_blpop *blpop, rl_bytes *element)
{
    const redisReply *reply = blpop->call.reply;

    if (!blpop->call.answered || reply == NULL || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[1]->type != REDIS_REPLY_STRING) {
        return false;
    }
    *element = (rl_bytes){reply->element[1]->str, (size_t)reply->element[1]->len};
    return true;
}
