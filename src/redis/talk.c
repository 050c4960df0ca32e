/* SPDX-License-Identifier: MIT
 *
 * redis/talk: see redis/talk.h.
 */
#include "redis/talk.h"

#include <string.h>

void redis_talk_open(redis_talk *talk, redis_pool *pool, const redis_endpoint *endpoint)
{
    memset(talk, 0, sizeof(*talk));
    talk->pool = pool;
    talk->node = redis_pool_take(pool, endpoint);
}

bool redis_talk_ask(redis_talk *talk, const redis_request *request, int64_t connect_by, int64_t until,
                    const redis_hook *hook)
{
    redis_call_reset(&talk->call);
    talk->call.request = *request;
    redis_node_submit(talk->node, &talk->call, connect_by);
    redis_call_wait(&talk->call, until, hook);
    return talk->call.error.kind == REDIS_FINE;
}

void redis_talk_malformed(redis_talk *talk)
{
    talk->call.error = REDIS_WRONG_REPLY;
}

bool redis_talk_part(redis_talk *talk, const redis_request *undo, int64_t until)
{
    redis_error why = talk->call.error;
    bool sent = false;

    if (undo != NULL) {
        sent = redis_node_part(talk->node, undo, until);
    } else {
        redis_node_break(talk->node, REDIS_LOST, "the connection was given up");
    }
    talk->call.error = why;
    return sent;
}

void redis_talk_close(redis_talk *talk)
{
    redis_call_reset(&talk->call);
    redis_pool_give(talk->pool, talk->node);
    talk->node = NULL;
}
