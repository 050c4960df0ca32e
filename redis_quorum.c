/* SPDX-License-Identifier: MIT
 *
 * redis_quorum: see redis_quorum.h.
 */
#include "redis_quorum.h"

#include <string.h>

void redis_quorum_open(redis_quorum *quorum, redis_pool *pool, const redis_endpoint *endpoints, size_t count)
{
    /* Only what is used: there is room for many nodes, and mostly there is one. */
    memset(quorum->calls, 0, count * sizeof(*quorum->calls));
    quorum->pool = pool;
    quorum->count = count;
    for (size_t i = 0; i < count; i++) {
        quorum->nodes[i] = redis_pool_take(pool, &endpoints[i]);
    }
}

static bool all_answered(const redis_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        if (!quorum->calls[i].answered) {
            return false;
        }
    }
    return true;
}

void redis_quorum_ask(redis_quorum *quorum, const redis_request *request, int64_t connect_by, int64_t until,
                      const redis_hook *hook)
{
    redis_woken woken = REDIS_WOKEN;

    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_reset(&quorum->calls[i]);
        quorum->calls[i].request = *request;
        redis_node_submit(quorum->nodes[i], &quorum->calls[i], connect_by);
    }
    while (woken == REDIS_WOKEN && !all_answered(quorum)) {
        woken = redis_wait(quorum->nodes, quorum->count, until, hook);
    }
    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_give_up(&quorum->calls[i], woken);
    }
}

bool redis_quorum_part(redis_quorum *quorum, const redis_request *undo, int64_t until)
{
    bool sent = false;

    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].error.kind == REDIS_FINE) {
            continue;
        }
        if (undo != NULL) {
            sent |= redis_node_part(quorum->nodes[i], undo, until);
        } else {
            redis_node_break(quorum->nodes[i], REDIS_LOST, "the connection was given up");
        }
    }
    return sent;
}

size_t redis_quorum_majority(const redis_quorum *quorum)
{
    return quorum->count / 2 + 1;
}

void redis_quorum_close(redis_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_reset(&quorum->calls[i]);
        redis_pool_give(quorum->pool, quorum->nodes[i]);
    }
    quorum->count = 0;
}
